chan g = [2] of { chan };
proctype P(chan back) { chan mine = [1] of { byte }; byte k; g!mine; mine?k; back!k }
init { chan b = [1] of { byte }; chan got; byte v; run P(b); run P(b); g?got; got!5; g?got; got!6; b?v; b?v }
