//! The check that every request passes before a page sees it.
//!
//! The order is: the form of the request, the name of the server, the principal, its role, the
//! origin and form token of changes, the rate.
//!
//! *Entry point:* [`guard`].
//! *Invariant:* a request that changes something comes from a page of this server, or carries a
//! token in its header `Authorization`.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderValue, LOCATION, ORIGIN, RETRY_AFTER,
    SET_COOKIE, TRANSFER_ENCODING,
};
use axum::http::{Extensions, HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::application::Application;
use crate::connections::Admission;
use crate::fault::Fault;
use crate::pages::frame::Visitor;
use crate::pages::{framed_fault, login};
use crate::security::rates::Kind;
use crate::security::role::{HOOK, Role, WORKER, required};
use crate::security::secret::equal;
use crate::security::session::Principal;
use crate::security::{Access, headers};

/// The longest path and query.
const LONGEST_URI: usize = 8 << 10;

/// The largest body of a form.
const LARGEST_FORM: usize = 2 << 20;

/// The largest body of a worker's request: results contain executions.
const LARGEST_RESULT: usize = 64 << 20;

/// The time in which a body must arrive.
const SLOWEST: Duration = Duration::from_secs(20);

/// The header that carries the form token of requests by script.
const FORM_HEADER: &str = "x-axle-form";

/// Checks a request and adds the protective headers to its answer.
pub async fn guard(State(app): State<Arc<Application>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/") || request.uri().path() == "/events";
    let has_body = !matches!(*request.method(), Method::GET | Method::HEAD);
    // Who sent the request, for the menu around an error.
    let sender = session(&app, request.headers()).filter(|_| !is_api);
    let sender = sender.map(|principal| Visitor::new(&app, principal, request.headers()));
    let framed = |fault: Fault| match &sender {
        Some(visitor) => framed_fault::answer(fault, visitor.frame("", "Error")),
        None => fault.answer(is_api),
    };
    let response = match check(&app, request).await {
        Ok(Passed::Request(request)) => {
            let mut response = next.run(*request).await;
            match response.extensions_mut().remove::<Fault>() {
                Some(fault) => framed(fault),
                None => response,
            }
        }
        Ok(Passed::Answer(response)) => *response,
        Err(fault) => {
            let mut response = framed(fault);
            if has_body {
                // The rest of a refused body is not read as a request.
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
    };
    headers::protect(response)
}

/// The connection of a request with a token may stay.
fn admit(extensions: &Extensions) {
    if let Some(admission) = extensions.get::<Admission>() {
        admission.admit();
    }
}

enum Passed {
    Request(Box<Request>),
    Answer(Box<Response>),
}

async fn check(app: &Application, request: Request) -> Result<Passed, Fault> {
    well_formed(&request)?;
    is_own_host(&app.access, &request)?;
    let path = request.uri().path();
    if path.starts_with("/assets/") && request.method() == Method::GET {
        return Ok(Passed::Request(Box::new(request)));
    }
    if path == "/login" {
        return with_login(app, request).await;
    }
    if path == HOOK && request.method() == Method::POST {
        return hook(app, request).await;
    }
    let Some(principal) = principal(app, request.headers())? else {
        return enter(app, &request);
    };
    admit(request.extensions());
    if request.uri().query().is_some_and(|query| parameter(query, "token").is_some()) {
        return enter(app, &request);
    }
    let needed = required(request.method().as_str(), path);
    if !principal.role.includes(needed) {
        return Err(Fault::forbidden(format!(
            "This needs the role {needed}; the token '{}' has the role {}.",
            principal.name, principal.role
        )));
    }
    let kind = match request.method() {
        _ if path.starts_with(WORKER) => Kind::Work,
        &Method::GET | &Method::HEAD => Kind::Read,
        _ => Kind::Write,
    };
    limited(app, &principal.name, kind)?;
    let limit = if kind == Kind::Work { LARGEST_RESULT } else { LARGEST_FORM };
    let (mut parts, body) = request.into_parts();
    let body = read(body, &parts.headers, limit).await?;
    if let Some(session) = &principal.session {
        match parts.method {
            Method::GET | Method::HEAD => same_site(&app.access, &parts.headers, &parts.uri)?,
            _ => {
                own_origin(&app.access, &parts.headers)?;
                form_token(app, session, &parts.headers, &body)?;
            }
        }
    }
    parts.extensions.insert(principal);
    Ok(Passed::Request(Box::new(Request::from_parts(parts, Body::from(body)))))
}

/// Refuses requests that two readers could understand differently, and methods that nothing uses.
fn well_formed(request: &Request) -> Result<(), Fault> {
    let headers = request.headers();
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE];
    if !known.contains(request.method()) {
        return Err(Fault::new(StatusCode::METHOD_NOT_ALLOWED, "This method is not supported."));
    }
    if request.uri().to_string().len() > LONGEST_URI {
        return Err(Fault::new(StatusCode::URI_TOO_LONG, "The address is too long."));
    }
    let single = [HOST, ORIGIN, AUTHORIZATION, CONTENT_LENGTH];
    if single.iter().any(|name| headers.get_all(name).iter().count() > 1)
        || headers.contains_key(CONTENT_LENGTH) && headers.contains_key(TRANSFER_ENCODING)
    {
        return Err(Fault::new(StatusCode::BAD_REQUEST, "The headers of the request are ambiguous."));
    }
    Ok(())
}

fn is_own_host(access: &Access, request: &Request) -> Result<(), Fault> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let known = host.is_some_and(|host| access.names.is_host(host))
        && authority.is_none_or(|authority| access.names.is_host(authority));
    match known {
        true => Ok(()),
        false => Err(Fault::new(
            StatusCode::MISDIRECTED_REQUEST,
            "The address does not belong to this server. Use the address that `axle serve` printed, or start \
             it with --public-url.",
        )),
    }
}

/// Who sent a request. An invalid token is an error, so that no other credential replaces it.
fn principal(app: &Application, headers: &HeaderMap) -> Result<Option<Principal>, Fault> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let holder = token.and_then(|token| app.access.holder(token.trim()));
        let Some(holder) = holder else {
            limited(app, "", Kind::Login)?;
            return Err(Fault::unauthorized("The token is unknown."));
        };
        return Ok(Some(Principal { name: holder.name, role: holder.role, session: None }));
    }
    Ok(session(app, headers))
}

/// The principal of a session's cookie.
fn session(app: &Application, headers: &HeaderMap) -> Option<Principal> {
    let wanted = &app.access.sessions.cookie;
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let own = cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| name == wanted);
    let now = app.now();
    own.and_then(|(_, value)| app.access.sessions.verify(value, &app.access.holders(), now))
}

/// Answers a request without credentials: the token of the start-up address becomes a session.
fn enter(app: &Application, request: &Request) -> Result<Passed, Fault> {
    let token = request.uri().query().and_then(|query| parameter(query, "token"));
    match token {
        Some(token) if request.method() == Method::GET => {
            let response = open_session(app, &token, request.uri().path())?;
            Ok(Passed::Answer(Box::new(response)))
        }
        _ => Err(Fault::unauthorized("Sign in with a token, or open the address that `axle serve` printed.")),
    }
}

/// Admits a request of the repository's hook by its signature. No other credential is of use.
async fn hook(app: &Application, request: Request) -> Result<Passed, Fault> {
    let Some(secret) = &app.access.hook else {
        return Err(Fault::missing("This server has no secret for hooks."));
    };
    let (mut parts, body) = request.into_parts();
    let body = read(body, &parts.headers, LARGEST_FORM).await?;
    if !secret.admits(&parts.headers, &body) {
        limited(app, "", Kind::Login)?;
        return Err(Fault::unauthorized("The signature of the request is wrong."));
    }
    admit(&parts.extensions);
    limited(app, "hook", Kind::Write)?;
    parts.extensions.insert(Principal { name: "hook".to_string(), role: Role::Runner, session: None });
    Ok(Passed::Request(Box::new(Request::from_parts(parts, Body::from(body)))))
}

async fn with_login(app: &Application, request: Request) -> Result<Passed, Fault> {
    if request.method() != Method::POST {
        return Ok(Passed::Answer(Box::new(login::page("").into_response())));
    }
    own_origin(&app.access, request.headers())?;
    let (parts, body) = request.into_parts();
    let body = read(body, &parts.headers, 4096).await?;
    let token = std::str::from_utf8(&body).ok().and_then(|body| parameter(body, "token"));
    match open_session(app, token.unwrap_or_default().trim(), "/") {
        Ok(response) => Ok(Passed::Answer(Box::new(response))),
        Err(fault) if fault.status == StatusCode::UNAUTHORIZED => {
            let page = login::page("The token is unknown.");
            Ok(Passed::Answer(Box::new((StatusCode::UNAUTHORIZED, page).into_response())))
        }
        Err(fault) => Err(fault),
    }
}

/// Issues a session for a token and leads to a page.
fn open_session(app: &Application, token: &str, path: &str) -> Result<Response, Fault> {
    let Some(holder) = app.access.holder(token) else {
        limited(app, "", Kind::Login)?;
        return Err(Fault::unauthorized("The token is unknown. Open the address that `axle serve` printed."));
    };
    let value = app.access.sessions.issue(&holder, app.now());
    // A path such as `//host` would lead to another server.
    let path = format!("/{}", path.trim_start_matches(['/', '\\']));
    let mut response = StatusCode::SEE_OTHER.into_response();
    let secure = if app.access.secure { "; Secure" } else { "" };
    let cookie = format!(
        "{}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000{secure}",
        app.access.sessions.cookie
    );
    let header = |text: &str| HeaderValue::from_str(text).map_err(|_| Fault::internal("invalid header"));
    response.headers_mut().insert(SET_COOKIE, header(&cookie)?);
    response.headers_mut().insert(LOCATION, header(&path)?);
    Ok(response)
}

fn limited(app: &Application, who: &str, kind: Kind) -> Result<(), Fault> {
    app.rates.admit(who, kind, app.now()).map_err(|seconds| {
        let mut fault = Fault::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("Too many requests. Try again in {seconds} s."),
        );
        fault.headers.push((RETRY_AFTER, seconds.to_string()));
        fault
    })
}

/// Reads a body of limited size in limited time.
async fn read(body: Body, headers: &HeaderMap, limit: usize) -> Result<Bytes, Fault> {
    let too_large = || {
        let size = limit >> 10;
        Fault::new(StatusCode::PAYLOAD_TOO_LARGE, format!("The request is larger than {size} KiB."))
    };
    let told = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    match tokio::time::timeout(SLOWEST, to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Fault::new(StatusCode::REQUEST_TIMEOUT, "The request did not arrive in time.")),
    }
}

/// A page of another site may not read data with the session of a browser.
fn same_site(access: &Access, headers: &HeaderMap, uri: &Uri) -> Result<(), Fault> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let foreign_origin = headers
        .get(ORIGIN)
        .is_some_and(|origin| origin.to_str().ok().is_none_or(|origin| !access.names.is_origin(origin)));
    let foreign_site = !matches!(text("sec-fetch-site"), None | Some("same-origin" | "none"));
    let is_navigation =
        text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest") == Some("document");
    let is_page = !uri.path().starts_with("/api/") && uri.path() != "/events";
    if foreign_origin || foreign_site && !(is_navigation && is_page) {
        return Err(Fault::forbidden("The request comes from a page of another site."));
    }
    Ok(())
}

/// A change must come from a page of this server.
fn own_origin(access: &Access, headers: &HeaderMap) -> Result<(), Fault> {
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let site = headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default());
    let own = match (origin, site) {
        (Some(origin), Some(site)) => access.names.is_origin(origin) && site == "same-origin",
        (Some(origin), None) => access.names.is_origin(origin),
        (None, Some(site)) => site == "same-origin",
        (None, None) => false,
    };
    match own {
        true => Ok(()),
        false => Err(Fault::forbidden("The request does not come from a page of this server.")),
    }
}

fn form_token(app: &Application, session: &str, headers: &HeaderMap, body: &[u8]) -> Result<(), Fault> {
    let wanted = app.access.sessions.form_token(session);
    let given = match headers.get(FORM_HEADER) {
        Some(value) => value.to_str().ok().map(str::to_string),
        None => std::str::from_utf8(body).ok().and_then(|body| parameter(body, "form_token")),
    };
    match given {
        Some(given) if equal(&given, &wanted) => Ok(()),
        _ => Err(Fault::forbidden("The form is out of date. Load the page again and repeat the action.")),
    }
}

/// The first value of a parameter in a query or form.
fn parameter(text: &str, name: &str) -> Option<String> {
    crate::form::pairs(text).into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}
