//! The file form and the link form of scenarios: written forms read back, damaged ones are refused,
//! and no input makes a reader panic.

use backfill_experiment::language::scenario::link::{self, Extras, LinkError};
use backfill_experiment::language::scenario::{KEYS, Key, Scenario, ValueKind, key, text};
use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::METRICS;
use backfill_sim::policy::Queue;
use backfill_sim::system::PlacementPolicy;
use backfill_sim::workload::Distribution;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// A value for a key, valid by itself.
fn value(key: &'static Key) -> BoxedStrategy<String> {
    let decimal = |min: Decimal, max: Decimal, places: u8| {
        let scale = 10i64.pow(u32::from(places));
        let bound = move |limit: Decimal| (limit.to_f64() * scale as f64) as i64;
        (bound(min)..=bound(max)).prop_map(move |units| {
            let width = usize::from(places);
            match places {
                0 => units.to_string(),
                _ => format!("{}.{:0width$}", units / scale, units % scale),
            }
        })
    };
    match key.kind {
        ValueKind::Integer { min, max, even } => (min..=max)
            .prop_map(move |n| if even { n - n % 2 } else { n }.to_string())
            .boxed(),
        ValueKind::Decimal { min, max, places } => decimal(min, max, places).boxed(),
        ValueKind::WordOrDecimal {
            word,
            min,
            max,
            places,
        } => prop_oneof![Just(word.to_owned()), decimal(min, max, places)].boxed(),
        ValueKind::PerCluster { min, max, places } => prop_oneof![
            3 => decimal(min, max, places),
            1 => prop::collection::vec(decimal(min, max, places), 4)
                .prop_map(|numbers| numbers.join("+")),
        ]
        .boxed(),
        ValueKind::Choice { choices } => {
            let names: Vec<&str> = choices.iter().map(|choice| choice.value).collect();
            select(names).prop_map(str::to_owned).boxed()
        }
        ValueKind::Distribution { .. } => distribution(),
        ValueKind::Order { .. } => order(),
        ValueKind::Policies => prop::collection::vec(policy(), 1..6)
            .prop_map(|policies| policies.join(" , "))
            .boxed(),
        ValueKind::Reference => prop_oneof![Just("first".to_owned()), policy()].boxed(),
        ValueKind::Sweep => axis(),
        ValueKind::File => "[^\\p{Cc}]{0,60}".boxed(),
        ValueKind::Slice => "all|busiest:[1-9][0-9]{0,3}|[1-9] - [1-9][0-9]".boxed(),
        ValueKind::Name => "[a-z0-9._]{0,9}|![a-z]{1,9}".boxed(),
        ValueKind::Columns => {
            "(submit:[a-z]{1,5},run:[a-z]{1,4}(\\*60)?,size:[a-z]{1,3})?|batsim|JobID,State".boxed()
        }
        ValueKind::Tree => {
            "\\(([1-9],){1,3}[1-4]x[1-9]\\)|\\((1:1000,n[3-4])?2\\)|blocks:4,8:[1-9]x4|3,4|x"
                .boxed()
        }
        ValueKind::Switches => "[0-9]{1,3}(@[0-9]{1,2})?".boxed(),
        ValueKind::Sha256 => "([0-9a-fA-F]{64})?".boxed(),
        ValueKind::Metric => {
            let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
            select(names).prop_map(str::to_owned).boxed()
        }
        ValueKind::Bandwidths => {
            let pairs = prop::collection::vec((0..9999u32).prop_map(|n| format!("{n}.50")), 1..10);
            prop_oneof![
                Just("equal".to_owned()),
                pairs.prop_map(|pairs| pairs.join(":"))
            ]
            .boxed()
        }
    }
}

fn distribution() -> BoxedStrategy<String> {
    prop_oneof![
        (0..9999u32).prop_map(|v| format!("constant:{v}.50")),
        (0..99u32, 0..99u32).prop_map(|(low, more)| format!("uniform:{low}:{}", low + more)),
        Just("exponential".to_owned()),
        (1..99_999u32).prop_map(|mean| format!("exponential:0.{mean:05}")),
        (0..=10u32, 1..99u32)
            .prop_map(|(p, m)| format!("hyperexponential:{}:{m}:7", f64::from(p) / 10.0)),
        (0..99u32).prop_map(|mean| format!("normal:{mean}:5:1:1000")),
        (0..=20u32).prop_map(|power| format!("pow2:{}", 1u32 << power)),
        (-20..20i32).prop_map(|mean| format!("lognormal:{mean}:1.25")),
        (1..99u32).prop_map(|max| format!("harmonic:1.50:5:{max}")),
        (1..9u32).prop_map(|last| format!("harmonic:1.5:5:{last}:0.40:19:0.46:256")),
        (1..99u32).prop_map(|low| format!("hyperexponential:0.5:1:7:{low}.0")),
    ]
    .boxed()
}

fn order() -> BoxedStrategy<String> {
    let written = [
        "arrival",
        "largest",
        "wfp3",
        "estimate",
        "wait / estimate*size",
        "-min(size, 4) ^ 2",
        "if wait > 3600 and load<0.5 then 0 else size",
        "(wait)>1?2:max(1,bandwidth,3.50)",
    ];
    select(written.to_vec()).prop_map(str::to_owned).boxed()
}

fn policy() -> BoxedStrategy<String> {
    let list = (order(), order(), 1..9u32).prop_map(|(order, other, depth)| {
        format!(
            "list ( backfill_order={other} , order = {order}) + adaba(behind=reserve,depth={depth})"
        )
    });
    let own = prop_oneof![
        3 => Just(String::new()),
        1 => Just("(blocked=skip)".to_owned()),
        1 => (0..99u32).prop_map(|cost| format!("( migration_cost_s = {cost}.0 )")),
    ];
    let placement = prop_oneof![
        Just(String::new()),
        select(PlacementPolicy::all()).prop_map(|placement| format!("+{placement}")),
    ];
    let named = (select(Queue::ALL), placement, own)
        .prop_map(|(queue, placement, own)| format!("{queue}{placement}{own}"));
    prop_oneof![6 => named, 1 => list].boxed()
}

fn axis() -> BoxedStrategy<String> {
    let sweepable: Vec<&'static Key> = KEYS.iter().filter(|key| key.sweep).collect();
    let list = select(sweepable).prop_flat_map(|key| {
        prop::collection::vec(value(key), 1..5)
            .prop_map(move |values| format!("{}: {}", key.name, values.join(", ")))
    });
    prop_oneof![
        1 => Just("none".to_owned()),
        4 => list,
        1 => (1..9u32, 1..9u32).prop_map(|(a, n)| format!("load:0.{a}0:{}.{a}:0.1", n)),
        1 => (1..32u32).prop_map(|n| format!("k:2:{}:2", 2 * n)),
    ]
    .boxed()
}

/// A valid scenario in which about a third of the keys are given. Where two of them cannot be
/// together, the later one is left out.
fn scenario() -> impl Strategy<Value = Scenario> {
    let pairs: Vec<_> = KEYS
        .iter()
        .map(|key| prop::option::weighted(0.35, value(key)).prop_map(|value| (key.name, value)))
        .collect();
    (pairs, any::<prop::sample::Index>()).prop_map(|(mut pairs, first)| {
        let first = first.index(pairs.len());
        pairs.rotate_left(first);
        let mut kept: Vec<(&str, String)> = Vec::new();
        for (key, value) in pairs {
            kept.extend(value.map(|value| (key, value)));
            if Scenario::parse(kept.clone()).is_err() {
                kept.pop();
            }
        }
        Scenario::parse(kept).expect("every step was valid")
    })
}

fn extras() -> impl Strategy<Value = Extras> {
    let value = || prop::option::weighted(0.2, any::<String>());
    (value(), value(), value(), value()).prop_map(|(digest, core, view, hide)| Extras {
        digest,
        core,
        view,
        hide,
        typed: false,
    })
}

/// The scenario as a link can carry it: of the trace's file only the base name.
fn without_folders(scenario: &Scenario) -> Scenario {
    Scenario::parse(scenario.changed().map(|(key, value)| match key {
        "file" => (key, value.rsplit(['/', '\\']).next().unwrap_or(value)),
        _ => (key, value),
    }))
    .expect("a base name is a file name")
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn a_decimal_becomes_the_nearest_binary_number(text in "-?(0|[1-9][0-9]{0,8})(\\.[0-9]{1,9})?") {
        let decimal = Decimal::parse(&text).expect("few enough digits");
        let nearest: f64 = text.parse().expect("the standard library reads it");
        prop_assert_eq!(decimal.to_f64(), nearest);
    }
}

proptest! {
    #![proptest_config(cases(if backfill_tests::long() { 10_000 } else { 2_000 }))]

    #[test]
    fn a_scenario_survives_text_and_link(scenario in scenario(), extras in extras()) {
        let file = text::write(&scenario);
        prop_assert_eq!(text::read(&file), Ok(scenario.clone()));
        let arguments: Vec<String> =
            scenario.pairs().map(|(key, value)| format!("{key}={value}")).collect();
        prop_assert_eq!(text::read_with(&file, &arguments), Ok(scenario.clone()));
        match link::write(&scenario, &extras) {
            Ok(written) => {
                let (read, also) = link::read(&written).unwrap().expect("it is a link");
                prop_assert_eq!(&read, &without_folders(&scenario));
                prop_assert_eq!(link::write(&read, &also), Ok(written));
                prop_assert_eq!(also, extras);
            }
            Err(error) => prop_assert!(matches!(error, LinkError::TooLong(_)), "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn every_run_of_a_scenario_can_be_set_up(scenario in scenario()) {
        let last = |axis: Option<&backfill_experiment::language::scenario::Axis>| axis.map(|a| a.values.len() - 1);
        for policy in 0..scenario.policies().len() {
            let first = scenario.setup(Some(0), Some(0), policy);
            let spec = &scenario.policies()[policy];
            prop_assert_eq!((first.queue, first.placement), (spec.queue, spec.placement));
            scenario.setup(last(scenario.x()), last(scenario.y()), policy);
        }
        prop_assert!(scenario.reference() < scenario.policies().len());
        for key in KEYS {
            scenario.relevant(key.name);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in any::<String>(),
        lines in prop::collection::vec((select(KEYS), any::<String>(), "[-a-z0-9.:,\\[\\]{}\"'=_ ]{0,20}"), 0..6),
        arguments in prop::collection::vec("[a-z_]{0,6}=?[^\\n]{0,20}", 0..4),
    ) {
        let _ = text::read(&text);
        let _ = text::read_with(&text, &arguments);
        let mut toml = String::new();
        for (key, any, typed) in &lines {
            toml.push_str(&format!("{} = {typed}\n", key.name));
            let _ = text::read(&toml);
            let _ = text::read(&format!("{} = {any:?}", key.name));
            let _ = Scenario::parse([(key.name, any)]);
            let _ = Scenario::parse([(key.name, typed)]);
        }
        let _ = text::read_with(&toml, &arguments);
    }

    #[test]
    fn no_number_law_axis_or_policy_makes_its_reader_panic(
        number in "-?[0-9]{0,20}\\.?[0-9]{0,12}",
        distribution in "[a-z0-9]{0,16}(:-?[0-9.]{0,22}){0,5}",
        axis in "(load|k|size|seed|jobs|gamma_s)?:?(-?[0-9.]{0,20}[:,]?){0,6}",
        policy in "[a-z-]{0,9}\\+?[a-z-]{0,9}\\(?[a-z_]{0,16}=?[a-z0-9.]{0,8}\\)?,?",
    ) {
        if let Some(decimal) = Decimal::parse(&number) {
            prop_assert_eq!(Decimal::parse(&decimal.to_string()), Some(decimal));
        }
        if let Ok(distribution) = Distribution::parse(&distribution) {
            prop_assert_eq!(Distribution::parse(&distribution.to_string()), Ok(distribution));
        }
        let _ = Scenario::parse([("x", axis)]);
        let _ = Scenario::parse([("policy", &policy)]);
        let _ = Scenario::parse([("reference", &policy)]);
    }

    #[test]
    fn no_fragment_makes_the_reader_panic(any in any::<String>(), pairs in "[#?&=%+a-z0-9.:,é]{0,40}") {
        let _ = link::read(&any);
        let _ = link::read(&format!("#v1?{any}"));
        let body = format!("v1?{pairs}");
        let sum = crc32fast::hash(body.as_bytes());
        let _ = link::read(&format!("#{body}&sum={sum:08x}"));
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn a_damaged_link_is_refused_or_read_as_typed(scenario in scenario(), with in any::<char>()) {
        let whole = |link: &str| link::read(link).is_ok_and(|read| read.is_none_or(|(_, extras)| !extras.typed));
        let Ok(link) = link::write(&scenario, &Extras::default()) else {
            return Ok(());
        };
        for end in 2..link.len() {
            prop_assert!(!whole(&link[..end]), "cut to {}", &link[..end]);
        }
        for (at, old) in link.char_indices() {
            for new in (' '..='~').chain([with]).filter(|&new| new != old) {
                let mut changed = link.clone();
                changed.replace_range(at..=at, new.encode_utf8(&mut [0; 4]));
                prop_assert!(!whole(&changed), "{changed} was read");
            }
        }
    }

    #[test]
    fn a_link_with_a_result_is_never_read_without_its_end(scenario in scenario()) {
        let result = Extras {
            digest: Some("0123456789abcdef".to_owned()),
            core: Some("0.2.0".to_owned()),
            view: Some("compare".to_owned()),
            ..Extras::default()
        };
        let Ok(link) = link::write(&scenario, &result) else {
            return Ok(());
        };
        let pairs = link.find("&digest=").unwrap_or(0);
        for end in pairs + 9..link.len() {
            prop_assert!(link::read(&link[..end]).is_err(), "cut to {}", &link[..end]);
        }
    }
}

/// Every published link opens the scenario of its sender.
#[test]
fn links_of_version_1_work_for_ever() {
    let golden = include_str!("../golden/links-v1.txt");
    let mut links = 0;
    for block in golden
        .split("\n\n")
        .filter(|block| !block.trim().is_empty())
    {
        let (link, toml) = block.split_once('\n').unwrap_or((block, ""));
        let (scenario, extras) = link::read(link)
            .unwrap_or_else(|error| panic!("{link}: {error}"))
            .expect("it is a link");
        assert_eq!(text::write(&scenario).trim_end(), toml.trim_end(), "{link}");
        assert_eq!(link::write(&scenario, &extras).as_deref(), Ok(link));
        links += 1;
    }
    assert_eq!(links, 8);
}

/// Before 0.2.0 the slowdown of short jobs could be below 1 unless a link said otherwise.
#[test]
fn a_link_that_says_what_has_become_a_default_still_opens() {
    let link = "#v1?fabric=single-root&size=pow2:16&runtime=lognormal:-0.5:2&\
                interarrival=exponential:60&load_law=gap-ratio&migration_cost_s=20&gamma_s=0.5&\
                floor_one=on&y=k:4:8:2&seed=18446744073709551615&sum=ee9bd10f";
    let (scenario, extras) = link::read(link).unwrap().expect("it is a link");
    assert_eq!(scenario.get("floor_one"), "on");
    let short = link::write(&scenario, &extras).unwrap();
    assert!(!short.contains("floor_one"), "{short}");
    assert_eq!(link::read(&short), Ok(Some((scenario, extras))));
}

/// A link carries only what differs from the defaults, so a default that changed would change what
/// the links of version 1 mean. A new key is added at the end of its group and to the golden file.
#[test]
fn defaults_of_version_1_are_frozen() {
    let now: String = KEYS
        .iter()
        .map(|key| format!("{} = {}\n", key.name, key.default))
        .collect();
    assert_eq!(now, include_str!("../golden/defaults-v1.txt"));
}

/// A link could not distinguish such a key from its own.
#[test]
fn reserved_keys_are_no_keys_of_a_scenario() {
    for reserved in key::RESERVED {
        assert!(Key::named(reserved).is_none());
    }
    assert!(Key::named("sum").is_none());
}

/// What would take a machine's memory or years is refused where it is read, and the limit named.
#[test]
fn what_is_far_too_much_is_refused_with_its_limit() {
    let refusals = |pairs: &[(&str, &str)]| -> Vec<String> {
        let problems = Scenario::parse(pairs.iter().copied()).expect_err("far too much");
        problems
            .iter()
            .map(|problem| problem.message.clone())
            .collect()
    };
    let different: Vec<String> = (0..100_000)
        .map(|cost| format!("bgmbf(migration_cost_s={cost})"))
        .collect();
    let (different, alike) = (different.join(","), "easy,".repeat(1_000_000));
    let orders = format!(
        "list(order={}1{})",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    for (pairs, said) in [
        (
            &[("policy", different.as_str())][..],
            "has more than 64 policies",
        ),
        (&[("policy", &alike)], "has more than 64 policies"),
        (
            &[("policy", &orders)],
            "order = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((…: column 201: \
             an expression has at most 200 characters, this one 200001",
        ),
        (
            &[("jobs", "1000000000")],
            "must be a whole number from 1 to 10000000",
        ),
        (
            &[("x", "load:0.001:1000:0.001")],
            "has more than 1000 values",
        ),
        (
            &[("x", "seed:0:999999999999999999:1")],
            "seed cannot be swept",
        ),
        // So many that a count of 32 bits overflows.
        (
            &[
                ("x", "load:0.001:1:0.001"),
                ("y", "bandwidth_mbps:1:1000:1"),
                ("policy", "easy"),
                ("reps", "4295"),
            ],
            "the scenario has 4295000000 runs, more than 1000000: take fewer replications or values",
        ),
    ] {
        let all = refusals(pairs);
        assert!(
            all.len() == 1 && all[0].starts_with(said),
            "{:?} instead of {said}",
            all.first()
        );
    }
    let unknown = (0..1000).map(|number| (format!("key{number}"), "1"));
    assert_eq!(Scenario::parse(unknown).map_err(|all| all.len()), Err(100));
    let long = text::read(&" ".repeat(500_001)).expect_err("a long file");
    assert_eq!(
        long[0].to_string(),
        "a scenario has at most 500000 bytes, this one 500001"
    );
    let nested = format!("k = {}", "[".repeat(400_000));
    assert_eq!(text::read(&nested).map_err(|all| all.len()), Err(1));
}
