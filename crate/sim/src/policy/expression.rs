//! An order of the queue by a formula: a flat program over what a scheduler knows of a job and the
//! instant.
//!
//! A [`Program`] is in postfix form without jumps, so it always ends, and both branches of a choice
//! are computed. It cannot name a true run time.
//!
//! *Decides*: the job with the smallest value is tried first. *Ties*: equal values, and all values
//! that are not finite, which are last, by (submit, index). *Complexity*: linear in the program,
//! which has at most one instruction for each character of its text. *Source*: our own; the names
//! are those of the papers on priority functions that the presets cite.
//!
//! Invariant: a value has the same bits natively and in wasm, as `+ − × ÷ √`, `floor` and
//! comparisons are exact and all else goes through [`crate::math`]. The bits of a NaN are not
//! defined, so only [`rank`], which maps values to integers in the same order, may read a value
//! that is not finite. Evaluation allocates nothing.

use crate::choice::choices;
use crate::job::Request;
use crate::math;
use crate::unit::Time;

choices! {
    /// The names of an expression.
    pub enum Name {
        Size = "size", "Size", "Slots asked for.", "";
        Estimate = "estimate", "Estimate", "The user's estimate of the run time, in seconds.", "";
        Area = "area", "Area", "Size times estimate.", "";
        Bandwidth = "bandwidth", "Bandwidth", "Bandwidth asked for, in Mbit/s.", "";
        Submit = "submit", "Submit time", "Seconds from the first job's arrival to this one's.", "";
        Wait = "wait", "Wait time", "Seconds waited so far.", "";
        Load = "load", "Load", "Slots in use over all slots, 0 to 1.", "";
        Waiting = "waiting", "Waiting jobs", "Jobs in the queue.", "";
    }
}

impl Name {
    /// Whether it is the same for a job as long as that waits.
    pub fn is_static(self) -> bool {
        !matches!(self, Name::Wait | Name::Load | Name::Waiting)
    }
}

/// The values of the names for one job at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Names {
    /// Requested slots.
    pub size: f64,
    /// The user's estimate of the run time, in seconds.
    pub estimate: f64,
    /// Requested bandwidth, in Mbit/s.
    pub bandwidth: f64,
    /// Seconds from the submission of the workload's first job to that of this one.
    pub submit: f64,
    /// Seconds waited so far.
    pub wait: f64,
    /// Slots in use over all slots, 0 to 1.
    pub load: f64,
    /// Jobs in the queue.
    pub waiting: f64,
}

impl Names {
    fn of(&self, name: Name) -> f64 {
        match name {
            Name::Size => self.size,
            Name::Estimate => self.estimate,
            Name::Area => self.size * self.estimate,
            Name::Bandwidth => self.bandwidth,
            Name::Submit => self.submit,
            Name::Wait => self.wait,
            Name::Load => self.load,
            Name::Waiting => self.waiting,
        }
    }
}

/// The values at an instant that all waiting jobs share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// When the first job of the workload was submitted.
    pub first: Time,
    /// The instant.
    pub now: Time,
    /// Slots in use over all slots, 0 to 1.
    pub load: f64,
    /// Jobs in the queue.
    pub waiting: usize,
}

impl Moment {
    /// The values of the names for a job that waits then.
    pub fn names(&self, request: &Request) -> Names {
        Names {
            size: f64::from(request.size),
            estimate: request.estimate.seconds(),
            bandwidth: request.bandwidth.mbps(),
            submit: (request.submit - self.first).seconds(),
            wait: (self.now - request.submit).seconds(),
            load: self.load,
            waiting: self.waiting as f64,
        }
    }
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// The value with the other sign.
    Negate,
    /// The value without its sign.
    Abs,
    /// Square root.
    Sqrt,
    /// e to the power of the value.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// The greatest whole number that is not greater.
    Floor,
}

impl Unary {
    #[inline]
    fn of(self, x: f64) -> f64 {
        match self {
            Unary::Negate => -x,
            Unary::Abs => x.abs(),
            Unary::Sqrt => x.sqrt(),
            Unary::Exp => math::exp(x),
            Unary::Ln => math::ln(x),
            Unary::Log2 => math::log2(x),
            Unary::Log10 => math::log10(x),
            Unary::Floor => x.floor(),
        }
    }
}

/// An operation on two values. Comparisons and logic give 1 or 0; any value but 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// The first to the power of the second.
    Power,
    /// The smaller one; not a number if either is not.
    Min,
    /// The larger one; not a number if either is not.
    Max,
    /// Whether the first is smaller.
    Less,
    /// Whether the first is not larger.
    LessOrEqual,
    /// Whether the first is larger.
    Greater,
    /// Whether the first is not smaller.
    GreaterOrEqual,
    /// Whether both are the same number.
    Equal,
    /// Whether they are not.
    NotEqual,
    /// Whether both are true.
    And,
    /// Whether either is true.
    Or,
}

impl Binary {
    #[inline]
    fn of(self, a: f64, b: f64) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Power => math::pow(a, b),
            // By comparisons: which of two zeros `f64::min` gives differs between machines.
            Binary::Min if b < a || b.is_nan() => b,
            Binary::Max if b > a || b.is_nan() => b,
            Binary::Min | Binary::Max => a,
            Binary::Less => truth(a < b),
            Binary::LessOrEqual => truth(a <= b),
            Binary::Greater => truth(a > b),
            Binary::GreaterOrEqual => truth(a >= b),
            Binary::Equal => truth(a == b),
            Binary::NotEqual => truth(a != b),
            Binary::And => truth(a != 0.0 && b != 0.0),
            Binary::Or => truth(a != 0.0 || b != 0.0),
        }
    }
}

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// A finite number.
    Number(f64),
    /// The value of a name.
    Name(Name),
    /// An operation on the value on top.
    Unary(Unary),
    /// An operation on the two values on top.
    Binary(Binary),
    /// Of the three values on top, the second if the first is true, else the third.
    Choose,
}

impl Instruction {
    /// The number of values it takes; it leaves one.
    fn takes(self) -> usize {
        match self {
            Instruction::Number(_) | Instruction::Name(_) => 0,
            Instruction::Unary(_) => 1,
            Instruction::Binary(_) => 2,
            Instruction::Choose => 3,
        }
    }
}

/// An expression, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    instructions: Vec<Instruction>,
    /// The most values that are on the stack at once.
    height: usize,
}

/// No program holds a number that is not equal to itself.
impl Eq for Program {}

/// The stack height that all but contrived programs stay within.
const LOW: usize = 8;

/// The most values that may be on a stack at once.
pub const HIGHEST: usize = 128;

impl Program {
    /// The program of some instructions.
    ///
    /// # Panics
    /// They take a value that is not there, leave other than one value, need more than [`HIGHEST`]
    /// at once, or hold a number that is not finite.
    pub fn new(instructions: Vec<Instruction>) -> Program {
        let (mut now, mut height) = (0_usize, 0);
        for &instruction in &instructions {
            if let Instruction::Number(number) = instruction {
                assert!(number.is_finite(), "a number is finite");
            }
            let left = now.checked_sub(instruction.takes());
            now = left.expect("operands precede their instruction") + 1;
            height = height.max(now);
        }
        assert_eq!(now, 1, "a program has one value");
        assert!(height <= HIGHEST, "a program needs a stack of {height}");
        Program {
            instructions,
            height,
        }
    }

    /// Its value for a job; it may be not finite. *Complexity*: linear in the program.
    pub fn value(&self, names: &Names) -> f64 {
        // A small stack is cleared in no time.
        if self.height <= LOW {
            self.run::<LOW>(names)
        } else {
            self.run::<HIGHEST>(names)
        }
    }

    /// Whether the value of a job never changes: the program names none of wait, load and waiting.
    pub fn is_static(&self) -> bool {
        !Name::ALL
            .iter()
            .any(|&name| !name.is_static() && self.names(name))
    }

    /// Whether its value depends on `name`.
    pub fn names(&self, name: Name) -> bool {
        self.instructions.contains(&Instruction::Name(name))
    }

    fn run<const HEIGHT: usize>(&self, names: &Names) -> f64 {
        let mut stack = [0.0; HEIGHT];
        // The position of the next value.
        let mut top = 0;
        for &instruction in &self.instructions {
            top -= instruction.takes();
            stack[top] = match instruction {
                Instruction::Number(number) => number,
                Instruction::Name(name) => names.of(name),
                Instruction::Unary(operation) => operation.of(stack[top]),
                Instruction::Binary(operation) => operation.of(stack[top], stack[top + 1]),
                Instruction::Choose if stack[top] != 0.0 => stack[top + 1],
                Instruction::Choose => stack[top + 2],
            };
            top += 1;
        }
        stack[0]
    }
}

/// An integer that sorts as the value does: −0 as 0, and all values that are not finite behind all
/// that are, equal among themselves.
pub fn rank(value: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    if !value.is_finite() {
        return u64::MAX;
    }
    // Of a zero the sign is dropped.
    let bits = (value + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_sort_as_values_do_and_what_is_not_finite_is_last() {
        let ascending = [
            f64::MIN,
            -1e9,
            -1.0,
            -f64::MIN_POSITIVE,
            -f64::from_bits(1),
            0.0,
            f64::from_bits(1),
            f64::MIN_POSITIVE,
            0.1 + 0.2,
            1.0,
            1e9,
            f64::MAX,
            f64::INFINITY,
        ];
        for pair in ascending.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
        assert_eq!(rank(-0.0), rank(0.0));
        let last = rank(f64::INFINITY);
        assert_eq!(rank(f64::NEG_INFINITY), last);
        assert_eq!(rank(f64::NAN), last);
        assert_eq!(rank(-f64::NAN), last);
    }

    #[test]
    fn the_smaller_of_two_is_not_a_number_if_either_is_not() {
        for operation in [Binary::Min, Binary::Max] {
            assert!(operation.of(f64::NAN, 1.0).is_nan());
            assert!(operation.of(1.0, f64::NAN).is_nan());
        }
    }

    #[test]
    #[should_panic(expected = "operands precede their instruction")]
    fn a_program_without_operands_is_none() {
        Program::new(vec![Instruction::Binary(Binary::Add)]);
    }

    #[test]
    #[should_panic(expected = "a program has one value")]
    fn a_program_of_two_values_is_none() {
        Program::new(vec![Instruction::Number(1.0), Instruction::Number(2.0)]);
    }
}
