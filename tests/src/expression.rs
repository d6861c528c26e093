//! Expressions as trees: printed with no more parentheses than precedence requires, and evaluated
//! node by node.

use backfill_sim::math;
use backfill_sim::policy::expression::Names;
use backfill_sim::rng::Stream;

/// An expression.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A number as it is written.
    Number(String),
    /// A name.
    Name(&'static str),
    /// A minus sign before a value.
    Negate(Box<Tree>),
    /// A function of values.
    Call(&'static str, Vec<Tree>),
    /// An operator between two values.
    Infix(&'static str, [Box<Tree>; 2]),
    /// The second value if the first is true, else the third; written in words or in signs.
    Choose {
        /// Whether it is written `if … then … else …`.
        words: bool,
        /// The condition and the branches.
        of: [Box<Tree>; 3],
    },
}

const NAMES: [&str; 8] = [
    "size",
    "estimate",
    "area",
    "bandwidth",
    "submit",
    "wait",
    "load",
    "waiting",
];

/// The functions of one value.
const FUNCTIONS: [&str; 7] = ["abs", "sqrt", "exp", "ln", "log2", "log10", "floor"];

/// The operators, loose ones first.
const LEVELS: [&[&str]; 7] = [
    &["or"],
    &["and"],
    &["<", "<=", ">", ">=", "=", "!="],
    &["+", "-"],
    &["*", "/"],
    // A minus sign before a value.
    &[],
    &["^"],
];

const SIGN: usize = 6;
const POWER: usize = 7;
const ATOM: usize = 8;

impl Tree {
    /// A random tree of at most that many levels.
    pub fn random(stream: &mut Stream, levels: u32) -> Tree {
        let below = |stream: &mut Stream, n: usize| stream.below(n as u64) as usize;
        if levels == 0 {
            return if below(stream, 3) == 0 {
                Tree::Number(random_number(stream))
            } else {
                Tree::Name(NAMES[below(stream, NAMES.len())])
            };
        }
        let next = |stream: &mut Stream| {
            let shorter = 1 + below(stream, 2) as u32;
            Box::new(Tree::random(stream, levels.saturating_sub(shorter)))
        };
        match stream.below(12) {
            0 => Tree::Negate(next(stream)),
            1 => {
                let function = FUNCTIONS[below(stream, FUNCTIONS.len())];
                Tree::Call(function, vec![*next(stream)])
            }
            2 => {
                let function = ["min", "max"][below(stream, 2)];
                let values = 2 + below(stream, 3);
                Tree::Call(function, (0..values).map(|_| *next(stream)).collect())
            }
            3 => Tree::Choose {
                words: below(stream, 2) == 0,
                of: [next(stream), next(stream), next(stream)],
            },
            _ => {
                let operators = LEVELS.concat();
                let operator = operators[below(stream, operators.len())];
                Tree::Infix(operator, [next(stream), next(stream)])
            }
        }
    }

    fn tightness(&self) -> usize {
        match self {
            Tree::Choose { .. } => 0,
            Tree::Infix(operator, _) => level(operator),
            Tree::Negate(_) => SIGN,
            Tree::Number(_) | Tree::Name(_) | Tree::Call(..) => ATOM,
        }
    }

    /// Its words, numbers and signs.
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        self.write(0, &mut tokens);
        tokens
    }

    /// Its text where an operator of at least this precedence is required.
    fn write(&self, least: usize, tokens: &mut Vec<String>) {
        let bare = self.tightness() >= least;
        let say = |tokens: &mut Vec<String>, text: &str| tokens.push(text.to_owned());
        if !bare {
            say(tokens, "(");
        }
        match self {
            Tree::Number(text) => say(tokens, text),
            Tree::Name(name) => say(tokens, name),
            Tree::Negate(value) => {
                say(tokens, "-");
                value.write(SIGN, tokens);
            }
            Tree::Call(function, values) => {
                say(tokens, function);
                for (index, value) in values.iter().enumerate() {
                    say(tokens, if index == 0 { "(" } else { "," });
                    value.write(0, tokens);
                }
                say(tokens, ")");
            }
            Tree::Infix(operator, [left, right]) => {
                let level = level(operator);
                let [least_left, least_right] = match *operator {
                    "^" => [ATOM, SIGN],
                    // These cannot be chained.
                    "<" | "<=" | ">" | ">=" | "=" | "!=" => [level + 1, level + 1],
                    _ => [level, level + 1],
                };
                left.write(least_left, tokens);
                say(tokens, operator);
                right.write(least_right, tokens);
            }
            Tree::Choose { words, of } => {
                let (before, between) = if *words {
                    (Some("if"), ["then", "else"])
                } else {
                    (None, ["?", ":"])
                };
                before.into_iter().for_each(|word| say(tokens, word));
                of[0].write(usize::from(!words), tokens);
                say(tokens, between[0]);
                of[1].write(0, tokens);
                say(tokens, between[1]);
                of[2].write(0, tokens);
            }
        }
        if !bare {
            say(tokens, ")");
        }
    }

    /// Its value for a job.
    pub fn value(&self, names: &Names) -> f64 {
        match self {
            Tree::Number(text) => text.parse().expect("a number"),
            Tree::Name(name) => match *name {
                "size" => names.size,
                "estimate" => names.estimate,
                "area" => names.size * names.estimate,
                "bandwidth" => names.bandwidth,
                "submit" => names.submit,
                "wait" => names.wait,
                "load" => names.load,
                "waiting" => names.waiting,
                other => panic!("no name {other}"),
            },
            Tree::Negate(value) => -value.value(names),
            Tree::Call(function, values) => {
                let values: Vec<f64> = values.iter().map(|value| value.value(names)).collect();
                let x = values[0];
                match *function {
                    "abs" => x.abs(),
                    "sqrt" => x.sqrt(),
                    "exp" => math::exp(x),
                    "ln" => math::ln(x),
                    "log2" => math::log2(x),
                    "log10" => math::log10(x),
                    "floor" => x.floor(),
                    _ if values.iter().any(|value| value.is_nan()) => f64::NAN,
                    // Of equal ones, zeros of either sign, the first.
                    "min" => values.iter().fold(x, |a, &b| if b < a { b } else { a }),
                    "max" => values.iter().fold(x, |a, &b| if b > a { b } else { a }),
                    other => panic!("no function {other}"),
                }
            }
            Tree::Infix(operator, [left, right]) => {
                let (a, b) = (left.value(names), right.value(names));
                let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
                match *operator {
                    "or" => truth(a != 0.0 || b != 0.0),
                    "and" => truth(a != 0.0 && b != 0.0),
                    "<" => truth(a < b),
                    "<=" => truth(a <= b),
                    ">" => truth(a > b),
                    ">=" => truth(a >= b),
                    "=" => truth(a == b),
                    "!=" => truth(a != b),
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    "^" => math::pow(a, b),
                    other => panic!("no operator {other}"),
                }
            }
            Tree::Choose { of, .. } => {
                let chosen = if of[0].value(names) != 0.0 { 1 } else { 2 };
                of[chosen].value(names)
            }
        }
    }
}

/// How tightly an operator binds, from 1.
fn level(operator: &str) -> usize {
    let level = LEVELS.iter().position(|level| level.contains(&operator));
    let level = 1 + level.expect("an operator");
    assert!(level != SIGN && level <= POWER);
    level
}

/// Tokens with only the spaces that separate words and numbers.
pub fn joined(tokens: &[String]) -> String {
    let is_word = |token: &str| token.starts_with(|first: char| first.is_alphanumeric());
    let mut text = String::new();
    let mut after_word = false;
    for token in tokens {
        let word = is_word(token);
        if word && after_word {
            text.push(' ');
        }
        text += token;
        after_word = word;
    }
    text
}

/// A number of at most 18 digits, in one of the forms in which people write it.
fn random_number(stream: &mut Stream) -> String {
    let digits = 10_u64.pow(1 + stream.below(17) as u32);
    let mut number = stream.below(digits).to_string();
    match stream.below(4) {
        0 => number = stream.below(10).to_string(),
        1 => {}
        2 => number.insert_str(1, if number.len() == 1 { ".5" } else { "." }),
        _ => number = format!("{}e{}", stream.below(1000), stream.below(28) as i64 - 13),
    }
    number
}

/// A random job at a random instant, with round values among odd ones.
pub fn random_names(stream: &mut Stream) -> Names {
    let mut seconds = |most: u64| match stream.below(4) {
        0 => stream.below(3) as f64,
        1 => stream.below(most) as f64,
        _ => stream.below(most * 1_000_000) as f64 / 1e6,
    };
    let (estimate, submit, wait) = (seconds(1_000_000), seconds(100_000_000), seconds(500_000));
    Names {
        size: (1 + stream.below(10_000)) as f64,
        estimate,
        bandwidth: stream.below(4_000_000) as f64 / 1000.0,
        submit,
        wait,
        load: stream.below(433) as f64 / 432.0,
        waiting: stream.below(10_000) as f64,
    }
}
