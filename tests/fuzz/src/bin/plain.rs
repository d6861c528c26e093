//! Tries a target on random inputs for some time, without coverage: `plain TARGET MINUTES CRASHES
//! FOLDER…`. The inputs are made of the files of the folders; one that fails is written to the
//! folder of crashes.

#![allow(
    clippy::print_stdout,
    reason = "a program for who works on the project"
)]

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use backfill_fuzz::{Mutator, Target, inputs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, minutes, crashes, folders @ ..] = &arguments[..] else {
        panic!("plain TARGET MINUTES CRASHES FOLDER…");
    };
    let target = Target::named(name).expect("a target");
    let minutes: f64 = minutes.parse().expect("a number of minutes");
    let seeds: Vec<Vec<u8>> = folders
        .iter()
        .flat_map(|folder| inputs(Path::new(folder)))
        .map(|(_, input)| input)
        .collect();
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let number = clock.map_or(0, |since| since.as_nanos() as u64);
    println!(
        "{name}: {} inputs to begin with, number {number}",
        seeds.len()
    );
    let mut mutator = Mutator::new(&seeds, number);
    let begin = Instant::now();
    let mut executions = 0_u64;
    while begin.elapsed().as_secs_f64() < 60.0 * minutes {
        // Some take less time than a look at the clock.
        for _ in 0..16 {
            let input = mutator.input();
            if catch_unwind(|| (target.run)(input)).is_err() {
                let file = Path::new(crashes).join(format!("{name}-{number}-{executions}"));
                fs::write(&file, input).expect("the folder can be written to");
                println!("{name}: failed on {}", file.display());
                return ExitCode::FAILURE;
            }
            executions += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let rate = executions as f64 / seconds;
    println!("{name}: {executions} executions in {seconds:.0} s, {rate:.0} a second");
    ExitCode::SUCCESS
}
