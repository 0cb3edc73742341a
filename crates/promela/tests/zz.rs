#[path = "syntax/support.rs"] mod support;
#[test] fn t() {
  let head = "byte x; byte a[2]; chan c = [1] of {byte}; proctype P(byte p) { skip } init { ";
  for (open, inner, close) in [("(", "x", ")"), ("{ ", "x", " }"), ("!", "x", ""), ("a[", "0", "]"), ("L: ", "x", ""), ("if :: ", "x", " fi"), ("{ x unless ", "x", "}"), ("(x -> ", "x", " : x)"), ("run P(", "x", ")"), ("c?[eval(", "x", ")]"), ("for (x : 1..2) { ", "x", " }")] {
    eprintln!("== {open}");
    let text = format!("{head}{}{inner}{} }}", open.repeat(1000), close.repeat(1000));
    support::parse_text(&text);
  }
  for (open, close) in [("(", ")"), ("[]", ""), ("!", ""), ("(x U ", ")")] {
    eprintln!("== ltl {open}");
    let text = format!("byte x; ltl {{ {}x{} }} init {{ skip }}", open.repeat(1000), close.repeat(1000));
    support::parse_text(&text);
  }
}
