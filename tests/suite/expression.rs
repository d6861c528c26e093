//! Orders written as expressions: their values, their notation, and messages about mistakes.

use backfill_experiment::language::expression::{
    FUNCTIONS, LONGEST, Mistake, PRESETS, canonical, parse, preset,
};
use backfill_sim::choice::Choice;
use backfill_sim::policy::expression::{Name, Names, Program, rank};
use backfill_sim::rng::Stream;
use backfill_tests::expression::{Tree, joined, random_names};
use backfill_tests::long;

/// A job of 4 slots for 1,000 s that came after 100 s and has waited 250 s, while 3 of 8 slots are
/// in use and 7 jobs wait.
const JOB: Names = Names {
    size: 4.0,
    estimate: 1000.0,
    bandwidth: 62.5,
    submit: 100.0,
    wait: 250.0,
    load: 0.375,
    waiting: 7.0,
};

fn read(text: &str) -> Program {
    parse(text).unwrap_or_else(|mistake| panic!("{text}: {mistake}"))
}

fn value(text: &str) -> f64 {
    read(text).value(&JOB)
}

fn mistake(text: &str) -> Mistake {
    parse(text).expect_err(text)
}

#[test]
fn every_name_and_operator_and_function_worked_by_hand() {
    for (text, expected) in [
        ("size", 4.0),
        ("estimate", 1000.0),
        ("area", 4000.0),
        ("bandwidth", 62.5),
        ("submit", 100.0),
        ("wait", 250.0),
        ("load", 0.375),
        ("waiting", 7.0),
        ("6.86e6", 6_860_000.0),
        ("5E-1", 0.5),
        ("25e+2", 2500.0),
        ("size+3", 7.0),
        ("size-9", -5.0),
        ("size*load", 1.5),
        ("wait/estimate", 0.25),
        ("2^10", 1024.0),
        ("-size", -4.0),
        ("size<4", 0.0),
        ("size<=4", 1.0),
        ("size>4", 0.0),
        ("size>=4", 1.0),
        ("size=4", 1.0),
        ("size!=4", 0.0),
        ("0 or 0", 0.0),
        ("0 or 0.1", 1.0),
        ("-1 and 2", 1.0),
        ("1 and 0", 0.0),
        ("if size>=4 then 10 else 20", 10.0),
        ("if size>4 then 10 else 20", 20.0),
        ("load ? wait : submit", 250.0),
        ("0 ? wait : submit", 100.0),
        ("min(size,waiting)", 4.0),
        ("min(size,3,waiting,2.5,9)", 2.5),
        ("max(size,waiting)", 7.0),
        ("max(1,3,2)", 3.0),
        ("abs(size-9)", 5.0),
        ("sqrt(size)", 2.0),
        ("exp(0)", 1.0),
        ("ln(1)", 0.0),
        ("log2(size)", 2.0),
        ("log10(estimate)", 3.0),
        ("floor(wait/submit)", 2.0),
        ("floor(-2.5)", -3.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for text in [
        "0/0",
        "wait/0",
        "ln(0)",
        "sqrt(-1)",
        "exp(1000)",
        "min(1,0/0)",
    ] {
        assert_eq!(rank(value(text)), u64::MAX, "{text}");
    }
}

#[test]
fn operators_bind_as_the_table_says() {
    for (text, meant) in [
        ("1+2*3", "1+(2*3)"),
        ("8/4/2", "(8/4)/2"),
        ("8/4*2", "(8/4)*2"),
        ("8-4-2", "(8-4)-2"),
        ("2^3^2", "2^(3^2)"),
        ("-2^2", "-(2^2)"),
        ("2^-2", "2^(-2)"),
        ("2^-2^2", "2^(-(2^2))"),
        ("2*-3", "2*(-3)"),
        ("--3", "-(-3)"),
        ("-2*3", "(-2)*3"),
        ("1+1<3", "(1+1)<3"),
        ("1<2 and 3<2", "(1<2)and(3<2)"),
        ("1 or 0 and 0", "1 or(0 and 0)"),
        ("0 or 1 ? 2 : 3", "(0 or 1)?2:3"),
        ("1 ? 0 ? 2 : 3 : 4", "1?(0?2:3):4"),
        ("0 ? 2 : 0 ? 3 : 4", "0?2:(0?3:4)"),
        ("if 0 then 2 else 3 + 1", "if 0 then 2 else(3+1)"),
        ("if 1 then 2 else 3 ? 4 : 5", "if 1 then 2 else(3?4:5)"),
        (
            "if 0 then 1 else if 0 then 2 else 3",
            "if 0 then 1 else(if 0 then 2 else 3)",
        ),
    ] {
        assert_eq!(value(text), value(meant), "{text} is {meant}");
    }
    assert_eq!(value("-2^2"), -4.0);
    assert_eq!(value("2^3^2"), 512.0);
    assert_eq!(value("8/4/2"), 1.0);
}

/// With r = 1,000 s, n = 4, w = 250 s and s = 100 s.
#[test]
fn every_preset_worked_by_hand() {
    for (name, expected) in [
        ("arrival", 100.0),
        ("largest", -4.0),
        ("spt", 1000.0),
        ("saf", 4000.0),
        // −(250 + 1,000) / 1,000
        ("lxf", -1.25),
        // −(250 / 1,000)³ · 4 = −4 / 64
        ("wfp3", -0.0625),
        // −250 / (2 · 1,000)
        ("unicef", -0.125),
        // 3 · 4 + 870 · 2
        ("f1", 1752.0),
        // √1,000 · 4 + 25,600 · 2
        ("f2", 1000.0_f64.sqrt() * 4.0 + 51_200.0),
        // 1,000 · 4 + 6,860,000 · 2
        ("f3", 13_724_000.0),
        // 1,000 · 2 + 530,000 · 2
        ("f4", 1_062_000.0),
    ] {
        assert_eq!(value(name), expected, "{name}");
        assert_eq!(canonical(name).as_deref(), Ok(name));
    }
    assert_eq!(PRESETS.len(), 11);
    for preset in PRESETS {
        assert_eq!(canonical(preset.formula).as_deref(), Ok(preset.formula));
        assert_eq!(read(preset.name), read(preset.formula));
        assert!(!preset.source.is_empty() && !preset.label.is_empty());
    }
}

/// The first job comes at 0, a job may ask for one slot, and an estimate may be 0.
#[test]
fn presets_give_a_number_for_every_job() {
    let smallest = Names {
        size: 1.0,
        ..Names::default()
    };
    for preset in PRESETS {
        let value = read(preset.formula).value(&smallest);
        assert!(value.is_finite(), "{}: {value}", preset.name);
    }
    assert_eq!(preset("fcfs"), None);
}

#[test]
fn an_expression_is_static_if_its_value_never_changes() {
    for text in ["size", "area/bandwidth", "f4", "submit", "1", "spt"] {
        assert!(read(text).is_static(), "{text}");
    }
    for text in [
        "wait",
        "size*load",
        "-waiting",
        "wfp3",
        "if 0 then wait else 1",
    ] {
        assert!(!read(text).is_static(), "{text}");
    }
}

#[test]
fn spaces_that_mean_nothing_are_left_out() {
    for (text, written) in [
        (" wait /  estimate\t*size ", "wait/estimate*size"),
        ("if wait > 60 then - 1 else 2", "if wait>60 then-1 else 2"),
        ("size and ( wait or 2 )", "size and(wait or 2)"),
        ("((size))", "((size))"),
        ("max( 1 , 2.50 )", "max(1,2.50)"),
        (" wfp3 ", "wfp3"),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(written));
        assert_eq!(read(text), read(written));
    }
}

#[test]
fn each_mistake_is_reported_with_its_column() {
    let names = "size, estimate, area, bandwidth, submit, wait, load or waiting";
    let functions = "min, max, abs, sqrt, exp, ln, log2, log10 or floor";
    for (text, said) in [
        (
            "",
            "column 1: expected an expression, such as wait/estimate*size".to_owned(),
        ),
        (
            "wait + runtime",
            "column 8: \"runtime\" is not known to a scheduler; its estimate is \"estimate\""
                .to_owned(),
        ),
        (
            "2*weight",
            format!("column 3: there is no \"weight\"; names are {names}, functions {functions}"),
        ),
        ("siz", "column 1: there is no \"siz\"; did you mean size?".to_owned()),
        ("1+Wait", "column 3: there is no \"Wait\"; did you mean wait?".to_owned()),
        ("n*r", "column 1: \"n\" is written size here".to_owned()),
        ("log(size)", "column 1: \"log\" is written ln, log2 or log10 here".to_owned()),
        (
            "wfp3+size",
            "column 1: \"wfp3\" cannot be part of a formula; its own formula is -(wait/max(estimate,1))^3*size"
                .to_owned(),
        ),
        ("size×2", "column 5: \"×\" is written * here".to_owned()),
        ("size == 4", "column 6: \"==\" is written = here".to_owned()),
        (
            "size & 4",
            "column 6: \"&\" is no operator; those are or, and, <, <=, >, >=, =, !=, +, -, *, / or ^"
                .to_owned(),
        ),
        ("size wait", "column 6: expected an operator before \"wait\"".to_owned()),
        ("2size", "column 2: expected an operator before \"size\"".to_owned()),
        (
            "(1)(2)",
            format!(
                "column 4: only functions take values in parentheses: {functions}; \
                 to multiply write *"
            ),
        ),
        (
            "wait/",
            "column 6: expected a number, a name, a function or \"(\", found the end"
                .to_owned(),
        ),
        (
            "2*/3",
            "column 3: expected a number, a name, a function or \"(\", found \"/\"".to_owned(),
        ),
        (
            "(wait+1",
            "column 8: expected \")\" for the \"(\" at column 1, found the end".to_owned(),
        ),
        ("(wait 1)", "column 7: expected an operator before \"1\"".to_owned()),
        ("wait)", "column 5: this parenthesis closes nothing".to_owned()),
        ("1,2", "column 2: a comma is allowed only between the values of min or max".to_owned()),
        ("sqrt 2", "column 6: expected \"(\" after sqrt".to_owned()),
        ("sqrt(1,2)", "column 1: sqrt takes one value, not 2".to_owned()),
        ("1+max(2)", "column 3: max takes two or more values".to_owned()),
        (
            "1<size<4",
            "column 7: join two comparisons by \"and\": a < b and b < c".to_owned(),
        ),
        (
            "1+if 1 then 2 else 3",
            "column 3: an \"if\" after an operator needs parentheses".to_owned(),
        ),
        (
            "if wait then 1",
            "column 15: expected \"else\" for the \"if\" at column 1, found the end"
                .to_owned(),
        ),
        (
            "1 then 2",
            "column 3: there is no \"if\" to this \"then\": write if … then … else …".to_owned(),
        ),
        (
            "wait ? 1",
            "column 9: expected \":\" for the \"?\" at column 6, found the end".to_owned(),
        ),
        ("1:2", "column 2: there is no \"?\" to this \":\"".to_owned()),
        ("1.", "column 1: expected a digit after the point".to_owned()),
        ("1234567890123456789", "column 1: a number has at most 18 digits".to_owned()),
        (
            "1e40",
            "column 1: a number has at most 18 digits behind the point, \
             and at most 18 zeros at its end"
                .to_owned(),
        ),
        (
            "1\u{1}",
            "column 2: \"\\u{1}\" is no operator; \
             those are or, and, <, <=, >, >=, =, !=, +, -, *, / or ^"
                .to_owned(),
        ),
    ] {
        assert_eq!(mistake(text).to_string(), said, "{text}");
    }
    let long = "1+".repeat(LONGEST / 2) + "1";
    assert_eq!(
        mistake(&long).to_string(),
        "column 201: an expression has at most 200 characters, this one 201"
    );
    assert_eq!(value(&long[2..]), 100.0);
    let preset = " ".repeat(LONGEST) + "wfp3";
    assert_eq!(
        mistake(&preset).to_string(),
        "column 201: an expression has at most 200 characters, this one 204"
    );
}

#[test]
fn a_mistake_spans_what_is_wrong() {
    let marked = |text: &str| {
        let Mistake { column, end, .. } = mistake(text);
        let characters = text.chars().skip(column - 1).take(end - column);
        characters.collect::<String>()
    };
    assert_eq!(marked("wait + runtime"), "runtime");
    assert_eq!(marked("ü + 1"), "ü");
    assert_eq!(marked("1e40*size"), "1e40");
    assert_eq!(marked("wait+"), "");
    assert_eq!(marked(&"9".repeat(203)), "999");
}

/// As deep as the length allows.
#[test]
fn the_deepest_expressions_are_read() {
    let nested = |text: &str, inner: &str, close: &str| {
        let room = LONGEST - inner.len();
        let times = room / (text.len() + close.len());
        text.repeat(times) + inner + &close.repeat(times)
    };
    assert_eq!(value(&nested("(", "7", ")")), 7.0);
    assert_eq!(value(&nested("-", "7", "")), -7.0);
    assert_eq!(value(&nested("1^", "1", "")), 1.0);
    assert_eq!(value(&nested("1+(", "1", ")")), 50.0);
    assert_eq!(value(&nested("0?1:", "5", "")), 5.0);
    assert_eq!(value(&nested("1?", "5", ":1")), 5.0);
    assert!(parse(&"(".repeat(LONGEST)).is_err());
    assert!(parse(&"if ".repeat(66)).is_err());
}

/// A random tree that is short enough, and its pieces.
fn random_tree(stream: &mut Stream) -> (Tree, Vec<String>) {
    loop {
        let levels = 1 + stream.below(5) as u32;
        let tree = Tree::random(stream, levels);
        let tokens = tree.tokens();
        if joined(&tokens).chars().count() <= LONGEST {
            return (tree, tokens);
        }
    }
}

#[test]
fn what_is_printed_reads_back_with_the_same_values_to_the_bit() {
    let mut stream = Stream::new(17, 0, "random expressions", 0);
    let (mut finite, mut other) = (0, 0);
    for _ in 0..if long() { 1_000_000 } else { 20_000 } {
        let (tree, tokens) = random_tree(&mut stream);
        let text = joined(&tokens);
        assert_eq!(canonical(&text).as_deref(), Ok(text.as_str()));
        let spaced = tokens.join([" ", "  ", "\t"][stream.below(3) as usize]);
        if spaced.len() <= LONGEST {
            assert_eq!(canonical(&spaced).as_deref(), Ok(text.as_str()));
            assert_eq!(read(&spaced), read(&text));
        }
        let program = read(&text);
        for _ in 0..3 {
            let names = random_names(&mut stream);
            let (found, expected) = (program.value(&names), tree.value(&names));
            if expected.is_finite() {
                finite += 1;
                assert_eq!(found.to_bits(), expected.to_bits(), "{text} of {names:?}");
            } else {
                other += 1;
                assert_eq!(rank(found), u64::MAX, "{text} of {names:?}");
            }
        }
    }
    assert!(finite > 10_000 && other > 100, "{finite}, {other}");
}

#[test]
fn arbitrary_text_never_panics_and_mistakes_lie_within_it() {
    let names = Name::CHOICES.iter().map(|choice: &Choice| choice.value);
    let functions = FUNCTIONS.iter().map(|&(name, _)| name);
    let other = [
        "if", "then", "else", "and", "or", "+", "-", "*", "/", "^", "(", ")", ",", "?", ":", "<",
        "=", "!", ">", " ", "1", "0.5", "1e9", ".", "e", "9", "×", "ü", "🌲", "\u{0}", "wfp3",
    ];
    let pieces: Vec<&str> = names.chain(functions).chain(other).collect();
    let mut stream = Stream::new(18, 0, "arbitrary text", 0);
    let mut valid = 0;
    for round in 0..if long() { 10_000_000 } else { 200_000 } {
        let text: String = if round % 2 == 0 {
            let length = stream.below(12);
            let mut piece = |_| pieces[stream.below(pieces.len() as u64) as usize];
            (0..length).map(&mut piece).collect()
        } else {
            // A valid one, of which something is missing or replaced.
            let mut tokens = random_tree(&mut stream).1;
            let place = stream.below(tokens.len() as u64) as usize;
            let piece = pieces[stream.below(pieces.len() as u64) as usize];
            tokens[place] = [piece, ""][stream.below(2) as usize].to_owned();
            joined(&tokens)
        };
        let characters = text.chars().count();
        match canonical(&text) {
            Ok(written) => {
                valid += 1;
                assert!(written.len() <= text.len(), "{text}");
                assert_eq!(canonical(&written).as_ref(), Ok(&written), "{text}");
                assert_eq!(parse(&text), parse(&written), "{text}");
            }
            Err(mistake) => {
                assert_eq!(parse(&text).as_ref(), Err(&mistake));
                assert!(
                    1 <= mistake.column && mistake.column <= mistake.end,
                    "{text}"
                );
                assert!(mistake.end <= characters + 1, "{text}: {mistake:?}");
                assert!(!mistake.why.contains(char::is_control), "{text:?}");
            }
        }
    }
    assert!(valid > 1000, "{valid}");
}
