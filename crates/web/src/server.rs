//! The listener: accepts connections, limits what one may take, and ends on demand.
//!
//! *Entry points:* [`bind`], [`serve`], [`router`].
//! *Invariant:* a slow or silent client holds nothing but its own connection, for a limited time.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use crate::application::Application;
use crate::guard::guard;
use crate::{api, assets, fault, observer, pages, stream};

/// The most connections at once. Those that have shown no token are fewer ([`crate::connections`]).
const MOST_CONNECTIONS: usize = 768;

/// The time in which the head of a request must arrive, and an idle connection may stay open.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The largest head of a request.
const LARGEST_HEAD: usize = 32 << 10;

/// The most headers of a request.
const MOST_HEADERS: usize = 64;

/// All routes, behind the guard.
pub fn router(app: &Arc<Application>) -> Router {
    Router::new()
        .merge(pages::routes())
        .nest("/api", api::routes())
        .merge(stream::routes())
        .merge(assets::routes())
        .fallback(fault::not_found)
        .method_not_allowed_fallback(fault::wrong_method)
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

/// Opens the listener.
///
/// # Errors
/// The address cannot be used.
pub fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address);
    let listener = listener.map_err(|fault| format!("cannot listen on {address}: {fault}"))?;
    listener.set_nonblocking(true).map_err(|fault| format!("cannot listen on {address}: {fault}"))?;
    Ok(listener)
}

/// Serves requests until `stop` returns true.
///
/// # Errors
/// The server cannot start.
pub fn serve(
    app: &Arc<Application>,
    listener: TcpListener,
    stop: impl Fn() -> bool + Send + Sync + 'static,
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(32)
        .enable_all()
        .build()
        .map_err(|fault| format!("no runtime for the server: {fault}"))?;
    observer::start(Arc::clone(app))?;
    let done = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(|fault| fault.to_string())?;
        tokio::select! {
            () = accept(listener, app) => {}
            () = stopped(stop) => {}
        }
        Ok(())
    });
    // Requests that read the history may take a moment; streams end with the process.
    runtime.shutdown_timeout(Duration::from_millis(500));
    done
}

async fn stopped(stop: impl Fn() -> bool) {
    while !stop() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn accept(listener: tokio::net::TcpListener, app: &Arc<Application>) {
    let service = router(app);
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(fault) => {
                // For example, too many open files: others may close some.
                (app.log)(&format!("a connection was not accepted: {fault}"));
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let guest = app.unidentified.enter(address.ip());
        let (service, admission) = (TowerToHyperService::new(service.clone()), guest.admission());
        let service = service_fn(move |mut request| {
            request.extensions_mut().insert(admission.clone());
            service.call(request)
        });
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(LARGEST_HEAD)
                .max_headers(MOST_HEADERS);
            tokio::select! {
                // The client may go away at any time.
                _ended = connection.serve_connection(TokioIo::new(stream), service) => {}
                () = guest.ended() => {}
            }
            drop(permit);
        });
    }
}
