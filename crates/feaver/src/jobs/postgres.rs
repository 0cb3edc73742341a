//! The store on a PostgreSQL server, for several servers that share one queue.
//!
//! `LISTEN` and `NOTIFY` only end a wait early; the table of events is the source of truth. A lost
//! connection is an error of the request and is restored by the next one. Connections have no TLS:
//! use a local socket, a trusted network or a tunnel.
//!
//! *Entry point:* [`PostgresStore::open`]. Requests block: an asynchronous caller uses a thread for
//! blocking work.
//! *Source:* PostgreSQL manual, "Explicit Locking", "NOTIFY" and "PostgreSQL Error Codes".
//! *Invariant:* a transaction without a commit leaves no open transaction on a connection that is
//! used again.

use std::collections::HashMap;
use std::time::Duration;

use postgres::{Client, Config, NoTls, Statement};

use crate::jobs::error::StoreError;
use crate::jobs::queue::Store;
use crate::jobs::schema;
use crate::jobs::sql::{Access, Connection, Dialect, Doorbell, Row, Session, Value};

mod convert;
mod failure;

use failure::typed;

/// A store on a PostgreSQL server.
pub type PostgresStore = Store<Postgres, Listener>;

/// Limit on the time to connect, and on the time after which a silent peer counts as lost.
const CONNECT: Duration = Duration::from_secs(10);

/// Settings of each connection.
///
/// A commit is durable when it returns. A frozen process loses its locks after a while.
const SETTINGS: &str = "
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    SET default_transaction_isolation = 'read committed';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s';
    SET client_min_messages = 'warning';
";

impl PostgresStore {
    /// Connects to the server and migrates the database to the newest schema. `url` is a connection
    /// string or URL of libpq, for example `postgresql://axle@localhost/axle`.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let mut connection = Postgres::open(url)?;
        connection.transaction(Access::Write, |session| schema::migrate(session, schema::VERSION))?;
        let doorbell = Listener { config: connection.config.clone(), client: None };
        Ok(Self::new(connection, doorbell))
    }
}

/// A connection to a server, restored when it was lost.
pub struct Postgres {
    config: Config,
    client: Option<Client>,
    statements: HashMap<String, Statement>,
    /// Whether a transaction may be open on `client`.
    in_transaction: bool,
}

impl Postgres {
    /// Connects without migrating the database.
    pub(crate) fn open(url: &str) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(typed)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.keepalives_idle(CONNECT).tcp_user_timeout(3 * CONNECT);
        let mut it = Self { config, client: None, statements: HashMap::new(), in_transaction: false };
        it.connect()?;
        Ok(it)
    }

    fn connect(&mut self) -> Result<(), StoreError> {
        self.statements.clear();
        self.in_transaction = false;
        self.client = Some(connect(&self.config)?);
        Ok(())
    }

    /// Begins a transaction on a connection that works. Nothing has been executed before, so that a
    /// second attempt repeats nothing.
    fn begin(&mut self, access: Access) -> Result<&mut Client, StoreError> {
        let begin = match access {
            Access::Read => "BEGIN READ ONLY",
            Access::Write => "BEGIN",
        };
        let works = match &mut self.client {
            Some(client) if !self.in_transaction && !client.is_closed() => {
                client.batch_execute(begin).is_ok()
            }
            _ => false,
        };
        if !works {
            self.connect()?;
        }
        let client =
            self.client.as_mut().ok_or_else(|| StoreError::Disconnected("not connected".to_owned()))?;
        if !works {
            client.batch_execute(begin).map_err(typed)?;
        }
        self.in_transaction = true;
        Ok(client)
    }

    /// Ends the transaction. After an error the connection is not used again.
    fn end(&mut self, statement: &str) -> Result<(), StoreError> {
        let Some(client) = &mut self.client else { return Ok(()) };
        match client.batch_execute(statement).map_err(typed) {
            Ok(()) => {
                self.in_transaction = false;
                Ok(())
            }
            Err(error) => {
                self.client = None;
                Err(error)
            }
        }
    }
}

fn connect(config: &Config) -> Result<Client, StoreError> {
    let mut client = config.connect(NoTls).map_err(typed)?;
    client.batch_execute(SETTINGS).map_err(typed)?;
    Ok(client)
}

impl Connection for Postgres {
    fn transaction<T>(
        &mut self,
        access: Access,
        body: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.begin(access)?;
        let result = match &mut self.client {
            Some(client) => body(&mut PostgresSession { client, statements: &mut self.statements }),
            None => Err(StoreError::Disconnected("not connected".to_owned())),
        };
        match result {
            Ok(it) => self.end("COMMIT").map(|()| it),
            Err(error) => {
                // The error of the body is the cause; one of the rollback only ends the connection.
                let _ = self.end("ROLLBACK");
                Err(error)
            }
        }
    }
}

struct PostgresSession<'a> {
    client: &'a mut Client,
    statements: &'a mut HashMap<String, Statement>,
}

impl Session for PostgresSession<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn rows(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = match self.statements.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(sql).map_err(typed)?;
                self.statements.insert(sql.to_owned(), statement.clone());
                statement
            }
        };
        let parameters: Vec<_> = parameters.iter().map(convert::parameter).collect();
        let rows = self.client.query(&statement, &parameters).map_err(typed)?;
        rows.iter().map(convert::row).collect()
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.client.batch_execute(sql).map_err(typed)
    }
}

/// A connection that receives notifications.
pub struct Listener {
    config: Config,
    client: Option<Client>,
}

impl Listener {
    fn client(&mut self) -> Result<&mut Client, StoreError> {
        let client = match self.client.take() {
            Some(client) if !client.is_closed() => client,
            _ => {
                let mut client = connect(&self.config)?;
                client.batch_execute("LISTEN axle_jobs").map_err(typed)?;
                client
            }
        };
        Ok(self.client.insert(client))
    }

    /// Receives a notification. After an error the connection is not used again.
    fn receive(&mut self, timeout: Duration) -> Result<bool, StoreError> {
        use postgres::fallible_iterator::FallibleIterator;
        let received = self.client()?.notifications().timeout_iter(timeout).next().map_err(typed);
        if received.is_err() {
            self.client = None;
        }
        received.map(|notification| notification.is_some())
    }
}

impl Doorbell for Listener {
    fn arm(&mut self) -> Result<(), StoreError> {
        loop {
            match self.receive(Duration::ZERO) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // The connection was lost since the last wait. A new one needs no second attempt.
                Err(_) => return self.client().map(drop),
            }
        }
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), StoreError> {
        self.receive(timeout).map(|_| ())
    }
}
