//! The part of SQL that SQLite and PostgreSQL share, behind two traits.
//!
//! *Entry points:* [`Connection::transaction`], [`Session::rows`].
//! *Invariant:* a transaction whose body returns an error, or whose process ends, changes nothing.

use std::time::Duration;

use crate::jobs::error::StoreError;

/// A database system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite in this process.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// A value of a column or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `NULL`.
    Null,
    /// An integer of 64 bits.
    Int(i64),
    /// A floating-point number of 64 bits.
    Real(f64),
    /// Text in UTF-8.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(it: i64) -> Self {
        Self::Int(it)
    }
}

impl From<u32> for Value {
    fn from(it: u32) -> Self {
        Self::Int(it.into())
    }
}

impl From<f64> for Value {
    fn from(it: f64) -> Self {
        Self::Real(it)
    }
}

impl From<&str> for Value {
    fn from(it: &str) -> Self {
        Self::Text(it.to_owned())
    }
}

impl From<&[u8]> for Value {
    fn from(it: &[u8]) -> Self {
        Self::Bytes(it.to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Null, Into::into)
    }
}

/// A row of a result. Columns are read in the order of the query.
#[derive(Debug)]
pub struct Row(std::vec::IntoIter<Value>);

impl Row {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }

    /// The next column, which may be `NULL`, as an integer in the range of `T`.
    pub fn optional_int<T: TryFrom<i64>>(&mut self) -> Result<Option<T>, StoreError> {
        match self.0.next() {
            Some(Value::Null) => Ok(None),
            Some(Value::Int(it)) => T::try_from(it).map(Some).map_err(|_| unexpected("an integer column")),
            _ => Err(unexpected("an integer column")),
        }
    }

    /// The next column as an integer in the range of `T`.
    pub fn int<T: TryFrom<i64>>(&mut self) -> Result<T, StoreError> {
        self.optional_int()?.ok_or_else(|| unexpected("an integer column"))
    }

    /// The next column as a floating-point number.
    pub fn real(&mut self) -> Result<f64, StoreError> {
        match self.0.next() {
            Some(Value::Real(it)) => Ok(it),
            _ => Err(unexpected("a column of numbers")),
        }
    }

    /// The next column, which may be `NULL`, as text.
    pub fn optional_text(&mut self) -> Result<Option<String>, StoreError> {
        match self.0.next() {
            Some(Value::Null) => Ok(None),
            Some(Value::Text(it)) => Ok(Some(it)),
            _ => Err(unexpected("a text column")),
        }
    }

    /// The next column as text.
    pub fn text(&mut self) -> Result<String, StoreError> {
        self.optional_text()?.ok_or_else(|| unexpected("a text column"))
    }

    /// The next column, which may be `NULL`, as bytes.
    pub fn optional_bytes(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        match self.0.next() {
            Some(Value::Null) => Ok(None),
            Some(Value::Bytes(it)) => Ok(Some(it)),
            _ => Err(unexpected("a column of bytes")),
        }
    }

    /// The next column as bytes.
    pub fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        self.optional_bytes()?.ok_or_else(|| unexpected("a column of bytes"))
    }
}

fn unexpected(what: &str) -> StoreError {
    StoreError::unexpected(what)
}

/// An open transaction. Parameters are written `$1`, `$2` and so on.
pub trait Session {
    /// The database system, for the few statements that differ.
    fn dialect(&self) -> Dialect;

    /// Executes a statement and returns its rows.
    fn rows(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Executes several statements without parameters or rows.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;
}

/// The first row of a result.
pub(crate) fn first(
    session: &mut dyn Session,
    sql: &str,
    parameters: &[Value],
) -> Result<Option<Row>, StoreError> {
    Ok(session.rows(sql, parameters)?.into_iter().next())
}

/// What a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only reads.
    Read,
    /// It may write.
    Write,
}

/// A connection to a database with the current schema.
pub trait Connection: Send {
    /// Executes `body` in a transaction: committed if it returns `Ok`, otherwise rolled back.
    fn transaction<T>(
        &mut self,
        access: Access,
        body: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError>;

    /// Whether the disk of the database has space for a small write, as far as that is known here.
    fn has_space(&self) -> bool {
        true
    }
}

/// Wakes up processes that wait for events.
pub trait Doorbell: Send {
    /// Prepares to wait: a commit after this call ends the wait.
    fn arm(&mut self) -> Result<(), StoreError>;

    /// Waits for a commit, at most for `timeout`. May return without one: the caller reads the table
    /// of events in any case.
    fn wait(&mut self, timeout: Duration) -> Result<(), StoreError>;
}
