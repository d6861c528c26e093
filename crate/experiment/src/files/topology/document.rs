//! The part of YAML that topologies are written in, JSON included: mappings, lists and scalars, in
//! lines or in brackets. Anchors, tags and text over several lines are refused by name.
//!
//! A small reader of its own, because a complete one would be larger than all other readers of
//! files together, and every visitor of the page loads it.

use super::draft::{At, Mistake};
use backfill_sim::problem::shown;

/// How deep it may be nested.
const MOST_LEVELS: usize = 64;

/// A value, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub at: At,
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A word or number, as it is written, without quotes.
    Scalar(String),
    /// A list.
    List(Vec<Value>),
    /// Keys and their values.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The value of a key, whose case makes no difference.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match &self.kind {
            Kind::Map(pairs) => {
                let mut pairs = pairs.iter();
                Some(&pairs.find(|pair| pair.0.eq_ignore_ascii_case(key))?.1)
            }
            _ => None,
        }
    }
}

/// Reads the first document of a text.
pub(super) fn read(text: &str) -> Result<Value, Mistake> {
    let mut reader = Reader {
        text,
        next: 0,
        line: 1,
        start: 0,
    };
    reader.skip();
    if reader.rest().starts_with("---") {
        reader.step(3);
        reader.skip();
    }
    let value = reader.block(0, 0)?;
    reader.skip();
    let over = ["", "---", "..."].iter().any(|end| match *end {
        "" => reader.rest().is_empty(),
        end => reader.rest().starts_with(end),
    });
    match over {
        true => Ok(value),
        false => Err(reader.mistake("is not indented like what stands before it")),
    }
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte.
    next: usize,
    line: usize,
    /// The first byte of the line.
    start: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.next..]
    }

    fn step(&mut self, bytes: usize) {
        for byte in self.text[self.next..self.next + bytes].bytes() {
            self.next += 1;
            if byte == b'\n' {
                self.line += 1;
                self.start = self.next;
            }
        }
    }

    /// How far the next byte is from the beginning of its line.
    fn indent(&self) -> usize {
        self.next - self.start
    }

    fn at(&self) -> At {
        let column = 1 + self.next - self.start;
        At {
            line: self.line,
            column,
        }
    }

    fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(self.at(), message)
    }

    /// Passes over blanks, ends of lines and remarks.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.step(blank);
            let fresh = self.next == 0 || self.text[..self.next].ends_with(char::is_whitespace);
            if !(self.rest().starts_with('#') && fresh) {
                return;
            }
            let rest = self.rest();
            self.step(rest.find('\n').unwrap_or(rest.len()));
        }
    }

    /// A value in lines that are indented by so much at least.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Value, Mistake> {
        if depth > MOST_LEVELS {
            return Err(self.mistake(format!("is nested more than {MOST_LEVELS} times")));
        }
        let (at, own) = (self.at(), self.indent());
        if self.rest().is_empty() || own < indent {
            return Err(self.mistake("has no value here"));
        }
        if self.starts_item() {
            let mut items = Vec::new();
            while self.indent() == own && self.starts_item() {
                self.step(1);
                self.skip();
                items.push(self.block(own + 1, depth + 1)?);
                self.skip();
            }
            let kind = Kind::List(items);
            return Ok(Value { at, kind });
        }
        let line = self.line;
        let first = self.inline(false, depth)?;
        self.blanks();
        if self.line != line || !self.starts_value() {
            return Ok(first);
        }
        let mut pairs = Vec::new();
        let mut key = first;
        loop {
            let Kind::Scalar(name) = key.kind else {
                return Err(Mistake::new(key.at, "is no key: a key is a word"));
            };
            let of = self.line;
            self.step(1);
            self.skip();
            // A list may stand as far to the left as its key.
            let beside = self.line == of;
            let least = if self.starts_item() { own } else { own + 1 };
            if beside && self.starts_item() {
                return Err(
                    self.mistake("begins a list on the line of its key: put it on the next")
                );
            }
            let value = if beside {
                self.inline(false, depth + 1)?
            } else {
                self.block(least, depth + 1)?
            };
            if pairs
                .iter()
                .any(|(other, _): &(String, Value)| *other == name)
            {
                let message = format!("{:?} stands twice: keep one", shown(&name));
                return Err(Mistake::new(key.at, message));
            }
            pairs.push((name, value));
            self.skip();
            let over = self.rest().is_empty() || self.rest().starts_with("...");
            if over || self.indent() != own || self.starts_item() || self.rest().starts_with("---")
            {
                break;
            }
            key = self.inline(false, depth)?;
            self.blanks();
            if !self.starts_value() {
                return Err(Mistake::new(key.at, "is no key with a colon and a value"));
            }
        }
        let kind = Kind::Map(pairs);
        Ok(Value { at, kind })
    }

    /// Passes over blanks within a line.
    fn blanks(&mut self) {
        let rest = self.rest();
        self.step(rest.len() - rest.trim_start_matches([' ', '\t']).len());
    }

    fn starts_item(&self) -> bool {
        let mut rest = self.rest().chars();
        rest.next() == Some('-') && rest.next().is_none_or(char::is_whitespace)
    }

    /// Whether a colon stands here that ends a key.
    fn starts_value(&self) -> bool {
        let mut rest = self.rest().chars();
        rest.next() == Some(':') && rest.next().is_none_or(char::is_whitespace)
    }

    /// A value on one line, or in brackets; within these commas end it.
    fn inline(&mut self, within: bool, depth: usize) -> Result<Value, Mistake> {
        if depth > MOST_LEVELS {
            return Err(self.mistake(format!("is nested more than {MOST_LEVELS} times")));
        }
        let at = self.at();
        let rest = self.rest();
        let kind = match rest.chars().next() {
            Some('[') => {
                Kind::List(self.items(']', depth, |reader| reader.inline(true, depth + 1))?)
            }
            Some('{') => Kind::Map(self.items('}', depth, |reader| reader.pair(depth))?),
            Some(quote @ ('"' | '\'')) => Kind::Scalar(self.quoted(quote)?),
            Some(mark @ ('&' | '*' | '!' | '|' | '>' | '%' | '@' | '`')) => {
                let message = format!("begins with {mark}, which is not read here: write it out");
                return Err(self.mistake(message));
            }
            _ => {
                let end = rest
                    .char_indices()
                    .find(|&(byte, c)| {
                        let after = rest[byte + c.len_utf8()..].chars().next();
                        let ends = after.is_none_or(char::is_whitespace);
                        c == '\n'
                            || c == ':' && (ends || within && after == Some(','))
                            || within && matches!(c, ',' | ']' | '}')
                            || c == '#' && rest[..byte].ends_with(char::is_whitespace)
                    })
                    .map_or(rest.len(), |(byte, _)| byte);
                let word = rest[..end].trim_end();
                if word.is_empty() {
                    return Err(self.mistake("has no value here"));
                }
                self.step(word.len());
                Kind::Scalar(word.to_owned())
            }
        };
        Ok(Value { at, kind })
    }

    /// What stands between brackets, separated by commas.
    fn items<T>(
        &mut self,
        close: char,
        depth: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, Mistake>,
    ) -> Result<Vec<T>, Mistake> {
        let open = self.mistake(format!("opens a bracket that {close} does not close"));
        if depth > MOST_LEVELS {
            return Err(self.mistake(format!("is nested more than {MOST_LEVELS} times")));
        }
        self.step(1);
        let mut items = Vec::new();
        loop {
            self.skip();
            if self.rest().starts_with(close) {
                self.step(1);
                return Ok(items);
            }
            items.push(item(self)?);
            self.skip();
            if self.rest().starts_with(',') {
                self.step(1);
            } else if !self.rest().starts_with(close) {
                return Err(open);
            }
        }
    }

    /// A key and its value within brackets.
    fn pair(&mut self, depth: usize) -> Result<(String, Value), Mistake> {
        let key = self.inline(true, depth + 1)?;
        let Kind::Scalar(name) = key.kind else {
            return Err(Mistake::new(key.at, "is no key: a key is a word"));
        };
        self.skip();
        if !self.rest().starts_with(':') {
            return Err(self.mistake(format!("{:?} has no colon and no value", shown(&name))));
        }
        self.step(1);
        self.skip();
        Ok((name, self.inline(true, depth + 1)?))
    }

    fn quoted(&mut self, quote: char) -> Result<String, Mistake> {
        let open = self.mistake("opens a quote that is not closed on its line");
        let mut text = String::new();
        self.step(1);
        loop {
            let Some(c) = self.rest().chars().next().filter(|&c| c != '\n') else {
                return Err(open);
            };
            self.step(c.len_utf8());
            let doubled = quote == '\'' && self.rest().starts_with('\'');
            if c == quote && !doubled {
                return Ok(text);
            }
            if c == '\\' && quote == '"' {
                let escaped = self.rest().chars().next();
                match escaped {
                    Some(escaped @ ('"' | '\\' | '/')) => text.push(escaped),
                    _ => return Err(self.mistake("has an escape that is not read here")),
                }
                self.step(1);
                continue;
            }
            if c == quote {
                self.step(1);
            }
            text.push(c);
        }
    }
}
