//! How jobs share links whose demand exceeds their rate.
//!
//! *Decides*: in rounds, the link that can give the smallest share of its remaining demand gives
//! this share to every job on it that has none yet; the demand of such a job on its other links
//! shrinks to it. It ends once no link is overloaded. *Ties*: the link of lowest index; they change
//! nothing. *Complexity*: at most as many rounds as links, each linear in jobs times links.
//! *Source*: paper 3, section 3.3, Eq. 3 to 5: max-min fair sharing in proportion to the needs.

/// Shares this close to all of it are all of it.
const ALL: f64 = 1.0 - 1e-12;

/// The share of its need that each job gets, the same on all its links, for links of these
/// capacities and a need of each job for each link.
pub fn saturate(capacity: &[f64], needs: &[impl AsRef<[f64]>]) -> Vec<f64> {
    let mut left = capacity.to_vec();
    let mut shares = vec![1.0; needs.len()];
    let mut open: Vec<usize> = (0..needs.len()).collect();
    loop {
        let mut tightest: Option<(f64, usize)> = None;
        for (link, &left) in left.iter().enumerate() {
            let needed: f64 = open.iter().map(|&job| needs[job].as_ref()[link]).sum();
            let share = left / needed;
            if needed > 0.0 && tightest.is_none_or(|(least, _)| share < least) {
                tightest = Some((share, link));
            }
        }
        let Some((share, link)) = tightest.filter(|&(share, _)| share < ALL) else {
            return shares;
        };
        open.retain(|&job| {
            let need = needs[job].as_ref();
            if need[link] == 0.0 {
                return true;
            }
            shares[job] = share;
            for (left, need) in left.iter_mut().zip(need) {
                *left = (*left - need * share).max(0.0);
            }
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-12,
                "{found} is not {expected}"
            );
        }
    }

    /// P3-T3: the second link is tighter; what it leaves of the first then limits the second job.
    #[test]
    fn two_links_and_three_jobs() {
        let needs = [[600.0, 300.0], [600.0, 0.0], [0.0, 700.0]];
        close(
            &saturate(&[1000.0, 800.0], &needs),
            &[0.8, 13.0 / 15.0, 0.8],
        );
    }

    /// P3-T4: a star of three links.
    #[test]
    fn three_links_in_a_star() {
        let needs = [
            [800.0, 800.0, 0.0],
            [0.0, 800.0, 800.0],
            [675.0, 0.0, 675.0],
        ];
        close(
            &saturate(&[1000.0; 3], &needs),
            &[0.625, 0.625, 20.0 / 27.0],
        );
    }

    #[test]
    fn links_that_are_exactly_full_slow_no_job() {
        assert_eq!(
            saturate(&[1000.0, 1.0], &[[600.0, 0.0], [400.0, 0.0]]),
            [1.0, 1.0]
        );
        assert_eq!(saturate(&[1000.0], &[] as &[[f64; 1]]), [] as [f64; 0]);
    }

    #[test]
    fn a_link_that_carries_nothing_gives_nothing() {
        assert_eq!(saturate(&[0.0, 9.0], &[[1.0, 1.0], [0.0, 9.0]]), [0.0, 1.0]);
    }
}
