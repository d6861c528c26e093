//! Files of a cluster's topology: `topology.conf` and `topology.yaml` of Slurm, and what
//! `scontrol show topology` prints.
//!
//! - `conf`: lines of `Key=Value`; `yaml`: the same as YAML or JSON, read by `document`
//! - `hostlist`: names such as `n[001-010,7]`; `order`: which of two names comes first
//! - `draft`: switches and blocks by name, checked and put together
//! - `question`: what its owner asks of it, as keys of a scenario
//!
//! What Slurm refuses is refused here, by line and column; what it only warns of is refused where
//! its placements cannot be relied upon then, else noted.
//!
//! *Source*: Slurm's manual pages topology.conf(5) and topology.yaml(5), and what its controllers
//! 24.11 and 26.05 accept.

mod conf;
mod document;
mod draft;
mod hostlist;
mod order;
mod question;
mod yaml;

pub use draft::{At, Mistake, Topology};
pub use question::{of_machine, question};

/// Reads a topology: YAML or JSON where it begins like that, else lines of `Key=Value`.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str) -> Result<Topology, Mistake> {
    let is_text = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_text).unwrap_or("");
    let is_item = first == "-" || first.starts_with("- ") || first.starts_with("---");
    if is_item || first.starts_with(['[', '{']) {
        yaml::read(text)?.finish()
    } else {
        conf::read(text)?.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::tree::{parse, written};

    /// The tree of a file in its compact form.
    fn tree(text: &str) -> String {
        let topology = read(text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        let tree = written(&topology.shape);
        assert_eq!(parse(&tree).as_ref(), Ok(&topology.shape), "{tree}");
        tree
    }

    /// The notes on a file, in one text.
    fn notes(text: &str) -> String {
        read(text).expect("a topology").notes.join(" ")
    }

    /// Where a file is refused, and a part of why.
    #[track_caller]
    fn refused(text: &str, line: usize, column: usize, why: &str) {
        let mistake = read(text).expect_err("a refusal");
        assert_eq!(mistake.at, At { line, column }, "{mistake}");
        assert!(mistake.message.contains(why), "{mistake}");
    }

    #[test]
    fn a_tree_in_lines_is_read_whatever_its_order() {
        assert_eq!(
            tree("SwitchName=a Nodes=n[1-4]\nSwitchName=r Switches=a,b\nSwitchName=b Nodes=n[5-7]"),
            "(4,3)"
        );
        assert_eq!(
            tree("SWITCHNAME = a\tnodes = \"n1, n2\" # a remark\r\n"),
            "2"
        );
        assert_eq!(
            tree("SwitchName=a \\\n Nodes=n1,\\\nn2 LinkSpeed=40000\n"),
            "2"
        );
        assert_eq!(
            tree(
                "SwitchName=s[1-2] Nodes=n1\nSwitchName=r Switches=\"s1\"\nSwitchName=s1 Nodes=n2"
            ),
            "1,(1)"
        );
        // Parents first, islands, and nodes of which the names decide the order.
        let parents_first = "SwitchName=m Switches=w[14,58]\nSwitchName=w14 Switches=w12,w34\nSwitchName=w58 \
            Switches=w56,w78\nSwitchName=w12 Nodes=t01,t02\nSwitchName=w34 Nodes=t03,t04\nSwitchName=w56 \
            Nodes=t05,t06\nSwitchName=w78 Nodes=t07,t08";
        assert_eq!(tree(parents_first), "((2,2)(2,2))");
        assert_eq!(
            tree("SwitchName=b Nodes=n10,n2\nSwitchName=a Nodes=n1,n3"),
            "n2.4,n1.3"
        );
    }

    #[test]
    fn leaves_that_are_not_in_the_order_of_their_parents_say_where_they_stand() {
        let crossed = "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=c Nodes=n3\nSwitchName=d \
            Nodes=n4\nSwitchName=x Switches=a,c\nSwitchName=y Switches=b,d\nSwitchName=r Switches=x,y";
        assert_eq!(tree(crossed), "((1~1,n3~3)(n2~2,n4~4))");
        let topology = read(crossed).expect("a tree");
        let names = ["n1", "n2", "n3", "n4", "a", "b", "c", "d", "x", "y", "r"];
        assert_eq!(topology.shape.names(), names);
    }

    #[test]
    fn several_parents_are_listed_and_twins_are_left_out() {
        let spines = "SwitchName=s1 Switches=e[1-2]\nSwitchName=s2 Switches=e[1-2]\nSwitchName=e1 \
            Nodes=a\nSwitchName=e2 Nodes=b";
        assert_eq!(tree(spines), "(1,1)");
        assert!(notes(spines).contains("s1 lists the same switches as s2"));
        let yaml = "- topology: default\n  cluster_default: true\n  tree:\n    switches:\n    - switch: leaf1\n      \
            children: su1\n    - switch: leaf2\n      nodes: w-3\n    - switch: root\n      children: \
            leaf2,spine0,spine1\n    - switch: spine0\n      children: leaf1\n    - switch: spine1\n      \
            children: leaf1\n    - switch: su1\n      nodes: w-[0-2]\n";
        // Counted are leaves 1 and 2, then the root, the second spine and, fifth, what both list.
        assert_eq!(tree(yaml), "(n4,((n1-3))(_5))");
    }

    #[test]
    fn blocks_are_read_with_their_sizes() {
        assert_eq!(
            tree("BlockName=b1 Nodes=n[1,3]\nBlockSizes=2,4\nBlockName=b2 Nodes=n[2,4]"),
            "blocks:2,4:n1.3,n2.4"
        );
        assert_eq!(
            tree("BlockName=p\nBlockName=b Nodes=n[1-3]"),
            "blocks:3,6,12,24,48:0,3"
        );
        let padded = "BlockName=a Nodes=n[1-4]\nBlockName=b\nBlockSizes=4";
        assert!(notes(padded).contains("1 block has no node"));
        assert!(notes("BlockName=a Nodes=n[1-3]\nBlockSizes=4").contains("rule = 26"));
        assert_eq!(
            tree(
                "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\nBlockName=b2 BlockIndex=1 \
            Nodes=n[3-4] BlockSize=2\nAggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-4] BlockSize=4"
            ),
            "blocks:2,4:2,2"
        );
    }

    #[test]
    fn what_scontrol_prints_is_read() {
        let printed = "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=a[1,3]\nSwitchName=a1 Level=0 \
            LinkSpeed=1 Nodes=n[1-2,4]\nSwitchName=a3 Level=0 LinkSpeed=1 Nodes=n3 Switches=(null)\n";
        assert_eq!(tree(printed), "(n1-2.4,n3)");
    }

    #[test]
    fn yaml_and_json_are_read() {
        let several = "---\n# remark\n- topology: t\n  cluster_default: false\n  tree:\n    switches: []\n- \
            Topology: b   # used\n  cluster_default: True\n  block:\n    block_sizes:\n      - 2\n      - 4\n    \
            blocks:\n      - block: \"b1\"\n        nodes: 'n[1-2]'\n      - {block: b2, nodes: \"n[3,4]\"}\n- \
            topology: f\n  flat: true\n";
        assert_eq!(tree(several), "blocks:2,4:2,2");
        let json = "[{\"topology\": \"t\", \"tree\": {\"switches\": [\n {\"switch\": \"a\", \"nodes\": \"n1,n2\"},\
            {\"switch\":\"r\",\"children\":\"a\"}]}}]";
        assert_eq!(tree(json), "(2)");
        refused(
            "- topology: t\n  tree:\n    switches:\n    - switch: a\n      nodes: [n1]",
            5,
            14,
            "not a list",
        );
        refused("- topology: t\n  flat: true", 2, 9, "no switches");
        refused("- topology: t\n  tree: &x", 2, 9, "begins with &");
        refused("- topology: t", 1, 3, "neither tree nor block");
        refused("- tree: {switches: []}", 1, 3, "no topology");
        refused(
            "- topology: t\n  tree:\n    switches:\n    - switch: a\n      children: b",
            5,
            17,
            "lists b, which no line",
        );
    }

    #[test]
    fn mistakes_are_told_by_line_and_column() {
        refused(
            "SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2",
            2,
            1,
            "stands in line 1, too",
        );
        refused(
            "SwitchName=a Nodes=n1\nBblockName=b Nodes=n2",
            2,
            1,
            "did you mean BlockName?",
        );
        refused(
            "SwitchName=r Switches=x1",
            1,
            23,
            "lists x1, which no line defines",
        );
        refused("SwitchName=r Switches=r", 1, 23, "itself");
        refused(
            "SwitchName=a Switches=b\nSwitchName=b Switches=a\n",
            1,
            1,
            "below itself",
        );
        refused(
            "SwitchName=a Nodes=n1 Switches=b\nSwitchName=b Nodes=n2",
            1,
            20,
            "nodes and switches",
        );
        refused("SwitchName=a Nodes=n1,m[4-1]", 1, 23, "goes down");
        refused("SwitchName=a Nodes=n[1-9:2]", 1, 20, "no number or range");
        refused("SwitchName=a Nodes=n[1-9", 1, 21, "not closed");
        refused("SwitchName=a Nodes=n1, n2", 1, 24, "no =");
        refused(
            "SwitchName=a Nodes=n1 LinkSpeed=100Mb/s",
            1,
            33,
            "leave out its unit",
        );
        refused(
            "SwitchName=a Nodes=n1 LinkSpeed=4294967296",
            1,
            33,
            "no whole number",
        );
        refused("Nodes=n1 SwitchName=a", 1, 1, "begins with Nodes");
        refused("SwitchName=a Nodes=", 1, 14, "no value");
        refused("SwitchName=a Nodes=\"n1", 1, 20, "quote");
        refused(
            "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1",
            2,
            1,
            "node n1 is in two switches, a and b",
        );
        refused(
            "BlockName=a Nodes=n1\nBlockName=b Nodes=n1",
            2,
            1,
            "node n1 is in two blocks, a and b",
        );
        refused(
            "SwitchName=r Switches=a,b\nSwitchName=q Switches=a\nSwitchName=a Nodes=n1\nSwitchName=b Nodes=n2",
            3,
            1,
            "below two roots",
        );
        refused(
            "SwitchName=a Nodes=n1\nBlockName=b Nodes=n2",
            2,
            1,
            "one file",
        );
        refused("include other.conf", 1, 1, "put its lines here");
        for sizes in ["4,12", "4,6", "8,4", "0"] {
            refused(
                &format!("BlockSizes={sizes}\nBlockName=a Nodes=n[1-8]"),
                1,
                12,
                "block size",
            );
        }
        refused(
            "# nothing\n#SwitchName=a Nodes=n1\nBlockSizes=20\n",
            1,
            1,
            "no switch and no block",
        );
        refused("", 1, 1, "no switch and no block");
    }

    #[test]
    fn notes_tell_what_is_worth_knowing() {
        assert_eq!(
            notes("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=c Nodes=n3"),
            "Jobs never span the 3 roots."
        );
        assert!(
            notes("SwitchName=r Switches=a,u\nSwitchName=a Nodes=n1\nSwitchName=u")
                .contains("1 switch has no node")
        );
    }
}
