//! Promela's words and signs: from the preprocessor's tokens to those of the parser.
//!
//! Every token of the input becomes one token here; words that are special only in some places
//! (`in`, and those of temporal logic) stay names. Numbers and characters get their values.
//!
//! *Entry point:* [`read`].

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Loc, TokenKind};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the sign's own")]
pub enum Tok {
    /// A name, or a word that is special in some places only.
    Name,
    /// A word of the language.
    Word(Word),
    /// A number.
    Number(i64),
    /// A character between single quotes.
    Char(u8),
    /// A string between double quotes.
    Str,
    LBrace,
    RBrace,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Comma,
    Dot,
    DotDot,
    Colon,
    /// `::`
    Option,
    Semi,
    Arrow,
    At,
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    AndAnd,
    Pipe,
    OrOr,
    Caret,
    Tilde,
    Bang,
    BangBang,
    Query,
    QueryQuery,
    Lt,
    Le,
    Gt,
    Ge,
    EqEq,
    Ne,
    Shl,
    Shr,
    Incr,
    Decr,
    /// `<->`
    Iff,
    /// `/\`
    Wedge,
    /// `\/`
    Vee,
    /// `[]`, written without a space; only in temporal logic.
    Always,
    /// `<>`, written without a space; only in temporal logic.
    Eventually,
    /// The circle of temporal logic.
    Next,
    /// Anything else.
    Other,
    /// The end of the input.
    End,
}

macro_rules! words {
    ($($variant:ident $text:literal,)*) => {
        /// A word of the language.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "each name is the word's own")]
        pub enum Word { $($variant,)* }

        /// Every word of the language, for suggestions.
        pub const WORDS: &[&str] = &[$($text,)*];

        impl Word {
            /// The word with this spelling.
            pub fn from_text(text: &str) -> Option<Word> {
                match text { $($text => Some(Word::$variant),)* _ => None }
            }

            /// How it is spelt.
            pub fn text(self) -> &'static str {
                match self { $(Word::$variant => $text,)* }
            }
        }
    };
}

words! {
    Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break", Byte "byte",
    CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state", CTrack "c_track", Chan "chan",
    DProctype "D_proctype", DStep "d_step", Do "do", Else "else", Empty "empty", Enabled "enabled",
    Eval "eval", False "false", Fi "fi", For "for", Full "full", GetPriority "get_priority", Goto "goto",
    Hidden "hidden", If "if", Init "init", Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl",
    Mtype "mtype", NEmpty "nempty", Never "never", NFull "nfull", NoTrace "notrace", NonProgress "np_",
    Od "od", Of "of", PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm", Priority "priority",
    Proctype "proctype", Provided "provided", Return "return", Run "run", Select "select",
    SetPriority "set_priority", Short "short", Show "show", Skip "skip", Timeout "timeout", Trace "trace",
    True "true", Typedef "typedef", Unless "unless", Unsigned "unsigned", Xr "xr", Xs "xs",
}

/// A token as the parser reads it.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its kind.
    pub tok: Tok,
    /// Whether it is the first on its line.
    pub newline: bool,
    /// Whether white space or a new line stands before it.
    pub space: bool,
    /// Where it is.
    pub loc: Loc,
    /// As spelt.
    pub text: Arc<str>,
}

/// The tokens of the preprocessor's output with the signs of temporal logic put together. The last
/// one, and only that, is [`Tok::End`]. Numbers and characters that cannot be read are reported and
/// read as 0.
pub fn read(tokens: &[axle_source::Token], diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    // A line that starts with a stray `*/` starts with the token behind it.
    let mut newline = false;
    for token in tokens {
        let tok = match token.kind {
            TokenKind::Identifier => Word::from_text(&token.text).map_or(Tok::Name, Tok::Word),
            TokenKind::Number => {
                if let Some(mut parts) = number_and_word(token) {
                    parts[0].newline |= std::mem::take(&mut newline);
                    out.extend(parts);
                    continue;
                }
                Tok::Number(number(token, diagnostics))
            }
            TokenKind::Char => Tok::Char(character(token, diagnostics)),
            TokenKind::String => Tok::Str,
            TokenKind::Punct if &*token.text == "*/" => {
                let skipped = Diagnostic::warning("W0206", "`*/` ends no comment and is skipped")
                    .at(token.loc(), "no comment is open here")
                    .note("comments do not nest: the first `*/` ends the comment, here as in Spin");
                diagnostics.push(skipped);
                newline |= token.newline_before;
                continue;
            }
            TokenKind::Punct | TokenKind::Unknown => sign(token.punct()),
            TokenKind::Pragma => continue,
            TokenKind::End => Tok::End,
        };
        let newline = std::mem::take(&mut newline) || token.newline_before;
        let token = Token {
            tok,
            newline,
            space: token.space_before || newline,
            loc: token.loc(),
            text: token.text.clone(),
        };
        match (out.last_mut(), token.space) {
            (Some(last), false) => match together(&last.text, &token.text) {
                Some(both) => {
                    last.tok = sign(both);
                    last.text = both.into();
                    last.loc = last.loc.to(token.loc);
                }
                None => out.push(token),
            },
            (Some(_), true) | (None, _) => out.push(token),
        }
    }
    out
}

/// The sign that two adjacent ones make. The two of `[]` or `<>` never meet outside formulas.
fn together(first: &str, second: &str) -> Option<&'static str> {
    match (first, second) {
        ("[", "]") => Some("[]"),
        ("<", ">") => Some("<>"),
        ("<", "->") => Some("<->"),
        // As Spin happens to read them.
        ("--", ">") => Some("->"),
        ("!!", "=") => Some("!="),
        ("/", "\\") => Some("/\\"),
        ("\\", "/") => Some("\\/"),
        _ => None,
    }
}

/// A punctuator.
fn sign(text: &str) -> Tok {
    match text {
        "{" => Tok::LBrace,
        "}" => Tok::RBrace,
        "(" => Tok::LParen,
        ")" => Tok::RParen,
        "[" => Tok::LBracket,
        "]" => Tok::RBracket,
        "," => Tok::Comma,
        "." => Tok::Dot,
        ".." => Tok::DotDot,
        ":" => Tok::Colon,
        "::" => Tok::Option,
        ";" => Tok::Semi,
        "->" | "→" | "⇒" => Tok::Arrow,
        "@" => Tok::At,
        "=" => Tok::Assign,
        "+" => Tok::Plus,
        "-" => Tok::Minus,
        "*" => Tok::Star,
        "/" => Tok::Slash,
        "%" => Tok::Percent,
        "&" => Tok::Amp,
        "&&" | "∧" => Tok::AndAnd,
        "|" => Tok::Pipe,
        "||" | "∨" => Tok::OrOr,
        "^" => Tok::Caret,
        "~" => Tok::Tilde,
        "!" | "¬" => Tok::Bang,
        "!!" => Tok::BangBang,
        "?" => Tok::Query,
        "??" => Tok::QueryQuery,
        "<" => Tok::Lt,
        "<=" | "≤" => Tok::Le,
        ">" => Tok::Gt,
        ">=" | "≥" => Tok::Ge,
        "==" => Tok::EqEq,
        "!=" | "≠" => Tok::Ne,
        "<<" => Tok::Shl,
        ">>" => Tok::Shr,
        "++" => Tok::Incr,
        "--" => Tok::Decr,
        "<->" | "↔" | "⇔" => Tok::Iff,
        "/\\" => Tok::Wedge,
        "\\/" => Tok::Vee,
        "[]" | "□" => Tok::Always,
        "<>" | "◇" | "◊" | "⋄" => Tok::Eventually,
        "○" | "◯" => Tok::Next,
        _ => Tok::Other,
    }
}

/// `1fi`, which Spin reads as `1` and `fi`.
fn number_and_word(token: &axle_source::Token) -> Option<[Token; 2]> {
    let end = token.text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = token.text.split_at(end);
    let word = Word::from_text(rest)?;
    let value = digits.parse().ok()?;
    let number = Token {
        tok: Tok::Number(value),
        newline: token.newline_before,
        space: token.space_before || token.newline_before,
        loc: token.loc(),
        text: digits.into(),
    };
    let word =
        Token { tok: Tok::Word(word), newline: false, space: false, loc: token.loc(), text: rest.into() };
    Some([number, word])
}

/// The value of a number: decimal, `0x..`, `0b..`, or `0o..`. A leading 0 alone does not make a
/// number octal: Spin reads `010` as ten, and a model that both accept must mean the same in both.
fn number(token: &axle_source::Token, diagnostics: &mut Diagnostics) -> i64 {
    let text: &str = &token.text;
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0o") => (&lower[2..], 8),
        Some("0b") => (&lower[2..], 2),
        _ => (&lower[..], 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        let fault = Diagnostic::error("E0201", format!("`{text}` is not a number"))
            .at(token.loc(), "")
            .help("a number is decimal (`19`), hexadecimal (`0x13`), octal (`0o23`) or binary (`0b10011`)");
        diagnostics.push(fault);
        return 0;
    }
    if radix == 10 && digits.len() > 1 && digits.starts_with('0') && digits.contains(|c| c != '0') {
        let value = digits.trim_start_matches('0');
        let trap = Diagnostic::warning("W0201", format!("`{text}` is read as the decimal number {value}"))
            .at(token.loc(), "")
            .note("Spin does the same; in C it would be octal")
            .help(format!("write `{value}`, or `0o{value}` for an octal number"));
        diagnostics.push(trap);
    }
    i64::from_str_radix(digits, radix).unwrap_or_else(|_| {
        let fault = Diagnostic::error("E0202", format!("the number `{text}` is too large"))
            .at(token.loc(), "does not fit into 64 bits");
        diagnostics.push(fault);
        i64::MAX
    })
}

/// The value of a character constant. As in Spin, a backslash before any character but `n`, `r`,
/// `t` and `f` gives that character.
fn character(token: &axle_source::Token, diagnostics: &mut Diagnostics) -> u8 {
    let inner = token.text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let value = match inner.unwrap_or_default().as_bytes() {
        [b'\\', b'n'] => Some(b'\n'),
        [b'\\', b'r'] => Some(b'\r'),
        [b'\\', b't'] => Some(b'\t'),
        [b'\\', b'f'] => Some(0x0c),
        [b'\\', other] | [other] => Some(*other),
        _ => None,
    };
    value.unwrap_or_else(|| {
        let fault = Diagnostic::error("E0203", format!("{} is not a single character", token.text))
            .at(token.loc(), "")
            .help("single quotes hold one character, strings stand between double quotes");
        diagnostics.push(fault);
        0
    })
}

/// Whether a token starts a declaration of variables.
pub(crate) fn starts_declaration(tok: Tok) -> bool {
    use Word::{Bit, Bool, Byte, Chan, Hidden, Int, Local, Mtype, Pid, Short, Show, Unsigned};
    matches!(
        tok,
        Tok::Word(Bit | Bool | Byte | Chan | Hidden | Int | Local | Mtype | Pid | Short | Show | Unsigned)
    )
}
