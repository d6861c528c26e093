//! Work on several processors at once.

use std::convert::Infallible;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The number of workers: by default one for each processor.
pub(crate) fn at_once(workers: Option<NonZero<usize>>) -> usize {
    match workers {
        Some(workers) => workers.get(),
        None => thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// Does `work` on each item, on several at once ([`at_once`]), and gives `take` the results as they
/// come. After the first error of `work` or `take` no further item is started.
pub(crate) fn each<T: Sync, R: Send, E: Send>(
    items: &[T],
    workers: Option<NonZero<usize>>,
    work: impl Fn(&T) -> Result<R, E> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let workers = at_once(workers);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = work(item);
                    let failed = done.is_err();
                    // If the receiver is gone, another item has failed.
                    if sender.send(done).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for done in receiver {
            done.and_then(&mut take)
                .inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
        }
        Ok(())
    })
}

/// What `work` makes of each item, on several processors, in the order of the items.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    workers: Option<NonZero<usize>>,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let numbered: Vec<(usize, &T)> = items.iter().enumerate().collect();
    let mut made: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let Ok(()) = each(
        &numbered,
        workers,
        |&(position, item)| Ok::<_, Infallible>((position, work(item))),
        |(position, result)| {
            made[position] = Some(result);
            Ok(())
        },
    );
    made.into_iter().flatten().collect()
}
