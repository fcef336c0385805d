//! Executions per second: tests of ten calls on an instrumented class.
//!
//! With `--tiered` both compilers of HotSpot run, with `--values` partitions of
//! values are recorded, with `--mutants` the class carries its mutants.

#[path = "../tests/all/common/mod.rs"]
mod common;
mod measure;

use std::hint::black_box;

use bytecode::analysis::AnalysisOptions;
use bytecode::values::ValueOptions;
use common::{Cluster, Worker, call_on, int, new, string};
use criterion::{Criterion, Throughput};
use measure::measure;
use testcase::execution::Executor;
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"
//- /p/Account.java
package p;

public class Account {
    private static int accounts;
    private final String owner;
    private int balance;
    private int limit = 100;

    public Account(String owner) { this.owner = owner; accounts++; }

    public int deposit(int amount) {
        if (amount <= 0) throw new IllegalArgumentException("amount");
        balance += amount;
        return balance;
    }
    public boolean withdraw(int amount) {
        if (amount > balance + limit) return false;
        balance -= amount;
        return true;
    }
    public int interest(int years) {
        int sum = balance;
        for (int year = 0; year < years; year++) sum += sum / 20;
        return sum - balance;
    }
    public String describe() { return balance < 0 ? "debt" : owner.equals("nobody") ? "lost" : "fine"; }
    public int balance() { return balance; }
}
"#;

/// Ten calls: a constructor and nine methods.
fn calls(cluster: &mut Cluster, last_amount: i32) -> TestCase {
    let owner = "p/Account";
    let make = cluster.constructor(owner, "(Ljava/lang/String;)V");
    let deposit = cluster.method(owner, "deposit", "(I)I");
    let withdraw = cluster.method(owner, "withdraw", "(I)Z");
    let interest = cluster.method(owner, "interest", "(I)I");
    let describe = cluster.method(owner, "describe", "()Ljava/lang/String;");
    let balance = cluster.method(owner, "balance", "()I");
    let statements: Vec<Statement> = vec![
        string("somebody"),
        int(50),
        int(7),
        int(last_amount),
        new(make, &[0]),
        call_on(4, deposit, &[1]),
        call_on(4, withdraw, &[2]),
        call_on(4, interest, &[2]),
        call_on(4, describe, &[]),
        call_on(4, deposit, &[2]),
        call_on(4, balance, &[]),
        call_on(4, withdraw, &[1]),
        call_on(4, describe, &[]),
        call_on(4, deposit, &[3]),
    ];
    TestCase::new(statements)
}

fn main() {
    jvm::vm::run_on_big_stack(|| {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let passing = calls(&mut cluster, 5);
        let throwing = calls(&mut cluster, -5);
        let is_given = |option: &str| std::env::args().any(|argument| argument == option);
        let is_asked = is_given("--values");
        let values = ValueOptions { inputs: is_asked, outputs: is_asked };
        let analysis = AnalysisOptions { mutants: is_given("--mutants"), ..AnalysisOptions::default() };
        let asked = (analysis, values);
        let mut worker = Worker::start_analyzed(&compiled, &["p/Account"], cluster, asked, |options| {
            if is_given("--tiered") {
                options.compilers = jvm::options::Compilers::Tiered;
            }
        });
        let slot = jvm::shared::SlotReader::create().expect("shared memory");
        let mut writer = jvm::shared::SlotWriter::open(slot.file()).expect("shared memory");
        let mut criterion = Criterion::default();
        let mut group = criterion.benchmark_group("executions");
        group.throughput(Throughput::Elements(1));
        let empty = TestCase::default();
        let Worker { executor, result, .. } = &mut worker;
        measure(&mut group, "empty", || executor.execute(black_box(&empty), &RunRequest::default(), result));
        measure(&mut group, "ten calls", || {
            executor.execute(black_box(&passing), &RunRequest::default(), result);
        });
        let recorded = RunRequest::default().recorded();
        measure(&mut group, "ten calls, recorded", || {
            executor.execute(black_box(&passing), &recorded, result);
        });
        measure(&mut group, "ten calls, recorded and not in turn", || {
            executor.execute(black_box(&passing), &recorded, result);
            executor.execute(black_box(&passing), &RunRequest::default(), result);
        });
        measure(&mut group, "ten calls, the last throws", || {
            executor.execute(black_box(&throwing), &RunRequest::default(), result);
        });
        measure(&mut group, "slot", || writer.write(black_box(&passing)));
        group.finish();
        criterion.final_summary();
    })
    .expect("the thread starts");
    jvm::watchdog::leave_process(0);
}
