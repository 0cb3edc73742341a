// Expressions over the variables of an execution: numbers, names, and the operators of C.
// Grammar: precedence climbing. An unknown name or a value that is no number gives no result.

const LEVELS = [["||"], ["&&"], ["==", "!="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "/", "%"]];

/** Parses an expression into a function of the values; throws an error with its message. */
export function parse(text) {
  const tokens = text.match(/\|\||&&|==|!=|<=|>=|[-+*/%<>!()]|[A-Za-z_][\w.:()[\]]*[\w\])]|[A-Za-z_]|\d+|\S/g) ?? [];
  let next = 0;
  const binary = (level) => {
    if (level === LEVELS.length) return unary();
    let left = binary(level + 1);
    while (LEVELS[level].includes(tokens[next])) {
      const operator = tokens[next++];
      const [first, second] = [left, binary(level + 1)];
      left = (values) => apply(operator, first(values), second(values));
    }
    return left;
  };
  const unary = () => {
    const token = tokens[next++];
    if (token === "!") { const operand = unary(); return (values) => flag(truth(operand(values)) === false, operand(values)); }
    if (token === "-") { const operand = unary(); return (values) => negate(operand(values)); }
    if (token === "(") {
      const inner = binary(0);
      if (tokens[next++] !== ")") throw new Error("a `)` is missing");
      return inner;
    }
    if (token === undefined) throw new Error("the expression ends too early");
    if (/^\d/.test(token)) return () => Number(token);
    if (/^[A-Za-z_]/.test(token)) return (values) => read(values, token);
    throw new Error(`unexpected \`${token}\``);
  };
  const result = binary(0);
  if (next < tokens.length) throw new Error(`unexpected \`${tokens[next]}\``);
  return result;
}

function read(values, name) {
  const value = values.get(name);
  if (value == null) return undefined;
  if (value === "true") return 1;
  if (value === "false") return 0;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

const truth = (value) => (value === undefined ? undefined : value !== 0);
const flag = (value, operand) => (operand === undefined ? undefined : Number(value));
const negate = (value) => (typeof value === "number" ? -value : undefined);

function apply(operator, left, right) {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "||": return Number(truth(left) || truth(right));
    case "&&": return Number(truth(left) && truth(right));
    case "==": return Number(left === right);
    case "!=": return Number(left !== right);
  }
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  switch (operator) {
    case "<": return Number(left < right);
    case "<=": return Number(left <= right);
    case ">": return Number(left > right);
    case ">=": return Number(left >= right);
    case "+": return left + right;
    case "-": return left - right;
    case "*": return left * right;
    case "/": return right === 0 ? undefined : Math.trunc(left / right);
    default: return right === 0 ? undefined : left % right;
  }
}
