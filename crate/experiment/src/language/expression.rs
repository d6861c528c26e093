//! The language of orders of the queue: `wait/estimate*size`.
//!
//! From loose to tight: `if c then a else b` or `c?a:b`; `or`; `and`; `< <= > >= = !=`, one between
//! two sums; `+ -`; `* /`; a minus sign before a value; `^`, right associative. Parentheses,
//! [`FUNCTIONS`], the [`Name`]s of what a scheduler knows, and numbers such as `0.5` and `6.86e6`.
//! An `if` that is an operand needs parentheses. [`backfill_sim::policy::expression`] defines the
//! values.
//!
//! Invariants: parsing fails only with a [`Mistake`], and its recursion is no deeper than
//! [`LONGEST`]; a number is the nearest binary one on every machine; the canonical form is the text
//! without insignificant spaces, so it is never longer and reads as the same program.

use std::fmt;

use serde::Serialize;

use backfill_sim::choice::{Choice, either};
use backfill_sim::policy::expression::{Binary, Instruction, Name, Program, Unary};
use backfill_sim::problem::shown;

/// The most characters of an expression, as links contain it.
pub const LONGEST: usize = 200;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Mistake {
    /// The first character of the mistake, from 1.
    pub column: usize,
    /// The character after its end, from 1; `column` itself if something is missing.
    pub end: usize,
    /// What is wrong there and what is allowed.
    pub why: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.why)
    }
}

impl std::error::Error for Mistake {}

/// A named order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Preset {
    /// Its name, which may replace its formula.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// The expression; the smallest value is first.
    pub formula: &'static str,
    /// Its source: authors, title, year; `textbook` if every textbook has it.
    pub source: &'static str,
}

impl Preset {
    /// Its source; `None` if every textbook has it.
    pub fn published(&self) -> Option<&'static str> {
        Some(self.source).filter(|source| *source != TEXTBOOK)
    }
}

/// The source of orders that every textbook has.
const TEXTBOOK: &str = "textbook";
const TANG: &str = "W. Tang, Z. Lan, N. Desai, D. Buettner, Fault-aware, utility-based job scheduling on Blue Gene/P systems, CLUSTER 2009";
const CARASTAN: &str = "D. Carastan-Santos, R. Y. de Camargo, Obtaining dynamic scheduling policies with simulation and machine learning, SC 2017";

/// The named orders. A time that divides or has its logarithm taken is at least a second, as is
/// log2(size) at least 1.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "arrival",
        label: "First come, first served",
        formula: "submit",
        source: TEXTBOOK,
    },
    Preset {
        name: "largest",
        label: "Largest first",
        formula: "-size",
        source: TEXTBOOK,
    },
    Preset {
        name: "spt",
        label: "Shortest estimate first (SPT)",
        formula: "estimate",
        source: TEXTBOOK,
    },
    Preset {
        name: "saf",
        label: "Smallest area first (SAF)",
        formula: "area",
        source: "D. Carastan-Santos, R. Y. de Camargo, D. Trystram, S. Zrigui, One can only gain by replacing EASY backfilling: a simple scheduling policies case study, CCGRID 2019",
    },
    Preset {
        name: "lxf",
        label: "Largest expansion factor first (LXF)",
        formula: "-(wait+estimate)/max(estimate,1)",
        source: "S.-H. Chiang, A. Arpaci-Dusseau, M. Vernon, The impact of more accurate requested runtimes on production job scheduling performance, JSSPP 2002",
    },
    Preset {
        name: "wfp3",
        label: "WFP3",
        formula: "-(wait/max(estimate,1))^3*size",
        source: TANG,
    },
    Preset {
        name: "unicef",
        label: "UNICEF",
        formula: "-wait/(max(log2(size),1)*max(estimate,1))",
        source: TANG,
    },
    Preset {
        name: "f1",
        label: "F1",
        formula: "log10(max(estimate,1))*size+870*log10(max(submit,1))",
        source: CARASTAN,
    },
    Preset {
        name: "f2",
        label: "F2",
        formula: "sqrt(estimate)*size+25600*log10(max(submit,1))",
        source: CARASTAN,
    },
    Preset {
        name: "f3",
        label: "F3",
        formula: "estimate*size+6860000*log10(max(submit,1))",
        source: CARASTAN,
    },
    Preset {
        name: "f4",
        label: "F4",
        formula: "estimate*sqrt(size)+530000*log10(max(submit,1))",
        source: CARASTAN,
    },
];

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A function of one value.
    Of(Unary),
    /// A function of two or more values, from left to right.
    OfMany(Binary),
}

/// The functions, by name.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("min", Function::OfMany(Binary::Min)),
    ("max", Function::OfMany(Binary::Max)),
    ("abs", Function::Of(Unary::Abs)),
    ("sqrt", Function::Of(Unary::Sqrt)),
    ("exp", Function::Of(Unary::Exp)),
    ("ln", Function::Of(Unary::Ln)),
    ("log2", Function::Of(Unary::Log2)),
    ("log10", Function::Of(Unary::Log10)),
    ("floor", Function::Of(Unary::Floor)),
];

/// The precedence of operators; a larger number binds tighter.
mod power {
    pub(super) const CHOICE: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const COMPARISON: u8 = 3;
    pub(super) const SUM: u8 = 4;
    pub(super) const PRODUCT: u8 = 5;
    pub(super) const SIGN: u8 = 6;
    pub(super) const POWER: u8 = 7;
}

/// The binary operators.
const OPERATORS: &[(&str, u8, Binary)] = &[
    ("or", power::OR, Binary::Or),
    ("and", power::AND, Binary::And),
    ("<", power::COMPARISON, Binary::Less),
    ("<=", power::COMPARISON, Binary::LessOrEqual),
    (">", power::COMPARISON, Binary::Greater),
    (">=", power::COMPARISON, Binary::GreaterOrEqual),
    ("=", power::COMPARISON, Binary::Equal),
    ("!=", power::COMPARISON, Binary::NotEqual),
    ("+", power::SUM, Binary::Add),
    ("-", power::SUM, Binary::Subtract),
    ("*", power::PRODUCT, Binary::Multiply),
    ("/", power::PRODUCT, Binary::Divide),
    ("^", power::POWER, Binary::Power),
];

/// The binary operators, from loose to tight.
pub fn operators() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|&(sign, ..)| sign)
}

/// Common notations, and the ones of this language.
const INSTEAD: &[(&str, &str)] = &[
    ("n", "size"),
    ("cores", "size"),
    ("procs", "size"),
    ("processors", "size"),
    ("nodes", "size"),
    ("slots", "size"),
    ("r", "estimate"),
    ("est", "estimate"),
    ("walltime", "estimate"),
    ("w", "wait"),
    ("waited", "wait"),
    ("s", "submit"),
    ("log", "ln, log2 or log10"),
    ("lg", "log10"),
    ("pow", "^"),
    ("**", "^"),
    ("==", "="),
    ("<>", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("×", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
];

/// Names of values that only the record of a run has.
const HIDDEN: &[&str] = &["runtime", "run_time", "duration", "length"];

/// The signs of two characters; those outside the language are there for their messages.
const PAIRS: &[&str] = &["<=", ">=", "!=", "==", "<>", "**", "&&", "||"];

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    /// Its first character, from 1.
    column: usize,
    /// The character after it.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number(f64),
    Word,
    Sign,
    End,
}

impl Token<'_> {
    fn mistake<T>(&self, why: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake {
            column: self.column,
            end: self.end,
            why: why.into(),
        })
    }

    /// The token in a sentence.
    fn quoted(&self) -> String {
        match self.kind {
            Kind::End => "the end".to_owned(),
            _ => format!("\"{}\"", shown(self.text)),
        }
    }
}

/// Reads an expression, or the name of a preset.
///
/// ```
/// use backfill_experiment::language::expression::parse;
/// use backfill_sim::policy::expression::Names;
///
/// let order = parse("wait / estimate * size").expect("an expression");
/// let job = Names { size: 4.0, estimate: 600.0, wait: 300.0, ..Names::default() };
/// assert_eq!(order.value(&job), 2.0);
/// let mistake = parse("wait / runtime").expect_err("no scheduler knows it");
/// assert_eq!(
///     mistake.to_string(),
///     "column 8: \"runtime\" is not known to a scheduler; its estimate is \"estimate\""
/// );
/// ```
///
/// # Errors
/// The first mistake in it, with its column.
pub fn parse(text: &str) -> Result<Program, Mistake> {
    let pieces = tokens(text)?;
    let preset = match &pieces[..] {
        [word, _] => preset(word.text),
        _ => None,
    };
    match preset {
        Some(preset) => compile(&tokens(preset.formula)?),
        None => compile(&pieces),
    }
}

/// An expression without insignificant spaces; it is its own canonical form.
///
/// # Errors
/// As of [`parse`].
pub fn canonical(text: &str) -> Result<String, Mistake> {
    parse(text)?;
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut canonical = String::new();
    for piece in text.split_whitespace() {
        if canonical.ends_with(in_word) && piece.starts_with(in_word) {
            canonical.push(' ');
        }
        canonical.push_str(piece);
    }
    Ok(canonical)
}

/// The preset of that name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// The tokens of a text, the last of which is its end.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, Mistake> {
    let characters = text.chars().count();
    if characters > LONGEST {
        return Err(Mistake {
            column: LONGEST + 1,
            end: characters + 1,
            why: format!("an expression has at most {LONGEST} characters, this one {characters}"),
        });
    }
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let bytes = rest.as_bytes();
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if first.is_ascii_digit() {
            (Some(Kind::Number(0.0)), number_length(bytes))
        } else if first.is_ascii_alphabetic() || first == '_' {
            let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let length = bytes.iter().take_while(|byte| in_word(byte)).count();
            (Some(Kind::Word), length)
        } else {
            let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
            let length = pair.map_or(first.len_utf8(), |pair| pair.len());
            (Some(Kind::Sign), length)
        };
        let (taken, behind) = rest.split_at(length);
        let end = column + taken.chars().count();
        if let Some(kind) = kind {
            let mut token = Token {
                kind,
                text: taken,
                column,
                end,
            };
            if let Kind::Number(value) = &mut token.kind {
                match number(taken) {
                    Ok(read) => *value = read,
                    Err(why) => return token.mistake(why),
                }
            }
            tokens.push(token);
        }
        (rest, column) = (behind, end);
    }
    tokens.push(Token {
        kind: Kind::End,
        text: "",
        column,
        end: column,
    });
    Ok(tokens)
}

/// The length in bytes of the number at the start: digits, a point and digits, an exponent.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| {
        let rest = bytes[from..].iter();
        from + rest.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') {
        length = digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let signed = matches!(bytes.get(length + 1), Some(b'+' | b'-'));
        let from = length + 1 + usize::from(signed);
        if bytes.get(from).is_some_and(u8::is_ascii_digit) {
            length = digits(from);
        }
    }
    length
}

/// The binary number nearest to a decimal one, ties to even; an error says why it is none.
///
/// Computed in whole numbers: the standard library's parser has a table that every visitor of the
/// page would load.
fn number(text: &str) -> Result<f64, String> {
    /// The most significant digits, the most places after the point, and the most zeros.
    const MOST: usize = 18;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.ends_with('.') {
        return Err("expected a digit after the point".to_owned());
    }
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Ok(0.0);
    }
    let units: u128 = match significant.parse() {
        Ok(units) if significant.len() <= MOST => units,
        _ => return Err(format!("a number has at most {MOST} digits")),
    };
    let zeros = (digits.len() - significant.len()) as i64 - fraction.len() as i64;
    let scale = exponent.parse::<i64>().ok();
    let scale = scale.and_then(|exponent| exponent.checked_add(zeros));
    let power = |places: u64| 10_u128.pow(places as u32);
    match scale.map(|scale| (scale, scale.unsigned_abs())) {
        Some((scale, places)) if places <= MOST as u64 => Ok(if scale >= 0 {
            (units * power(places)) as f64
        } else {
            let shift = units.leading_zeros();
            let (quotient, rest) = (
                (units << shift) / power(places),
                (units << shift) % power(places),
            );
            // A remainder rounds away from a tie.
            (quotient | u128::from(rest > 0)) as f64 / (1_u128 << shift) as f64
        }),
        _ => Err(format!(
            "a number has at most {MOST} digits behind the point, and at most {MOST} zeros at its end"
        )),
    }
}

/// The program of some tokens.
fn compile(tokens: &[Token<'_>]) -> Result<Program, Mistake> {
    if let [end] = tokens {
        return end.mistake("expected an expression, such as wait/estimate*size");
    }
    let mut reader = TokenReader {
        tokens,
        next: 0,
        instructions: Vec::new(),
    };
    reader.expression(power::CHOICE)?;
    let token = reader.peek();
    match token.text {
        "" => Ok(Program::new(reader.instructions)),
        ")" => token.mistake("this parenthesis closes nothing"),
        "," => token.mistake(format!(
            "a comma is allowed only between the values of {}",
            either(many())
        )),
        "then" | "else" => token.mistake(format!(
            "there is no \"if\" to this \"{}\": write if … then … else …",
            token.text
        )),
        ":" => token.mistake("there is no \"?\" to this \":\""),
        _ => misplaced(token),
    }
}

/// The functions of two or more values.
fn many() -> impl Iterator<Item = &'static str> {
    let of_many = |&&(_, function): &&(_, Function)| matches!(function, Function::OfMany(_));
    FUNCTIONS.iter().filter(of_many).map(|&(name, _)| name)
}

/// The mistake of a token where an operator is expected.
fn misplaced<T>(token: Token<'_>) -> Result<T, Mistake> {
    known_otherwise(token)?;
    match token.kind {
        Kind::Number(_) | Kind::Word => {
            token.mistake(format!("expected an operator before {}", token.quoted()))
        }
        _ if token.text == "(" => token.mistake(format!(
            "only functions take values in parentheses: {}; to multiply write *",
            either(FUNCTIONS.iter().map(|&(name, _)| name))
        )),
        _ => token.mistake(format!(
            "{} is no operator; those are {}",
            token.quoted(),
            either(operators())
        )),
    }
}

/// The mistake of a common notation, with the one of this language.
fn known_otherwise(token: Token<'_>) -> Result<(), Mistake> {
    if HIDDEN.contains(&token.text) {
        return token.mistake(format!(
            "{} is not known to a scheduler; its estimate is \"estimate\"",
            token.quoted()
        ));
    }
    match INSTEAD.iter().find(|(other, _)| *other == token.text) {
        None => Ok(()),
        Some((_, ours)) => token.mistake(format!("{} is written {ours} here", token.quoted())),
    }
}

/// Reads tokens by the precedence of operators, and writes the program.
struct TokenReader<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    instructions: Vec<Instruction>,
}

impl<'a> TokenReader<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    /// Takes the next token; the end is never consumed.
    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes the next token if it is this one.
    fn takes(&mut self, text: &str) -> bool {
        let there = self.peek().text == text;
        if there {
            self.take();
        }
        there
    }

    /// An expression of operators of at least this precedence.
    fn expression(&mut self, least: u8) -> Result<(), Mistake> {
        self.operand(least)?;
        loop {
            let token = self.peek();
            if token.text == "?" && least == power::CHOICE {
                self.take();
                self.expression(power::CHOICE)?;
                self.must(":", token)?;
                self.expression(power::CHOICE)?;
                self.instructions.push(Instruction::Choose);
                continue;
            }
            let operator = OPERATORS.iter().find(|(sign, ..)| *sign == token.text);
            let Some(&(_, power, operation)) = operator.filter(|(_, power, _)| *power >= least)
            else {
                return Ok(());
            };
            self.take();
            // A right associative operator takes its own kind, and a sign, on its right.
            self.expression(if power == power::POWER {
                power::SIGN
            } else {
                power + 1
            })?;
            self.instructions.push(Instruction::Binary(operation));
            if power == power::COMPARISON {
                self.no_comparison()?;
            }
        }
    }

    /// A comparison is no number to compare.
    fn no_comparison(&self) -> Result<(), Mistake> {
        let token = self.peek();
        let compares = |&&(sign, power, _): &&(&str, u8, Binary)| {
            power == power::COMPARISON && sign == token.text
        };
        match OPERATORS.iter().find(compares) {
            None => Ok(()),
            Some(_) => token.mistake("join two comparisons by \"and\": a < b and b < c"),
        }
    }

    /// An operand of operators.
    fn operand(&mut self, least: u8) -> Result<(), Mistake> {
        let token = self.take();
        if let Kind::Number(number) = token.kind {
            self.instructions.push(Instruction::Number(number));
            return Ok(());
        }
        match token.text {
            "(" => {
                self.expression(power::CHOICE)?;
                self.must(")", token)
            }
            "-" => {
                self.expression(power::SIGN)?;
                self.instructions.push(Instruction::Unary(Unary::Negate));
                Ok(())
            }
            "if" if least == power::CHOICE => {
                self.expression(power::CHOICE)?;
                self.must("then", token)?;
                self.expression(power::CHOICE)?;
                self.must("else", token)?;
                self.expression(power::CHOICE)?;
                self.instructions.push(Instruction::Choose);
                Ok(())
            }
            "if" => token.mistake("an \"if\" after an operator needs parentheses"),
            "then" | "else" | "and" | "or" | "" => missing(token),
            _ if token.kind == Kind::Word => self.word(token),
            _ => {
                known_otherwise(token)?;
                missing(token)
            }
        }
    }

    /// A name, or a function with its values.
    fn word(&mut self, token: Token<'a>) -> Result<(), Mistake> {
        if let Some(name) = Name::named(token.text) {
            self.instructions.push(Instruction::Name(name));
            return Ok(());
        }
        let function = FUNCTIONS.iter().find(|(name, _)| *name == token.text);
        let Some(&(name, function)) = function else {
            return unknown(token);
        };
        let opening = self.peek();
        if !self.takes("(") {
            return opening.mistake(format!("expected \"(\" after {name}"));
        }
        self.expression(power::CHOICE)?;
        let mut values = 1;
        while self.takes(",") {
            values += 1;
            self.expression(power::CHOICE)?;
            if let Function::OfMany(operation) = function {
                self.instructions.push(Instruction::Binary(operation));
            }
        }
        self.must(")", opening)?;
        match function {
            Function::Of(_) if values > 1 => {
                token.mistake(format!("{name} takes one value, not {values}"))
            }
            Function::Of(operation) => {
                self.instructions.push(Instruction::Unary(operation));
                Ok(())
            }
            Function::OfMany(_) if values < 2 => {
                token.mistake(format!("{name} takes two or more values"))
            }
            Function::OfMany(_) => Ok(()),
        }
    }

    /// Takes the token that `opening` requires.
    fn must(&mut self, text: &str, opening: Token<'a>) -> Result<(), Mistake> {
        let token = self.peek();
        if self.takes(text) {
            return Ok(());
        }
        // Before a possible operand, an operator is missing.
        let operand = match token.kind {
            Kind::Number(_) => true,
            Kind::Word => !matches!(token.text, "then" | "else"),
            _ => token.text == "(",
        };
        if operand {
            return misplaced(token);
        }
        known_otherwise(token)?;
        token.mistake(format!(
            "expected \"{text}\" for the {} at column {}, found {}",
            opening.quoted(),
            opening.column,
            token.quoted()
        ))
    }
}

/// The mistake of a token where a value is expected.
fn missing<T>(token: Token<'_>) -> Result<T, Mistake> {
    token.mistake(format!(
        "expected a number, a name, a function or \"(\", found {}",
        token.quoted()
    ))
}

/// The mistake of an unknown word.
fn unknown<T>(token: Token<'_>) -> Result<T, Mistake> {
    known_otherwise(token)?;
    let word = token.quoted();
    if let Some(preset) = preset(token.text) {
        let formula = preset.formula;
        return token.mistake(format!(
            "{word} cannot be part of a formula; its own formula is {formula}"
        ));
    }
    let names = Name::CHOICES.iter().map(|choice: &Choice| choice.value);
    let functions = FUNCTIONS.iter().map(|&(name, _)| name);
    let lower = token.text.to_ascii_lowercase();
    let near = |known: &&str| *known == lower || strsim::osa_distance(known, &lower) == 1;
    if let Some(meant) = names.clone().chain(functions.clone()).find(near) {
        return token.mistake(format!("there is no {word}; did you mean {meant}?"));
    }
    token.mistake(format!(
        "there is no {word}; names are {}, functions {}",
        either(names),
        either(functions)
    ))
}
