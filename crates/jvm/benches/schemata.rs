//! What mutants cost that a class carries: the same tests of a method that computes in loops, and of one that makes few
//! steps, on the class without mutants, with all of them, and with those that a search is left with. What begins with `-XX`
//! is an option of the JVM.

#[path = "../tests/all/common/mod.rs"]
mod common;
mod measure;

use std::hint::black_box;

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::OutcomeId;
use bytecode::values::ValueOptions;
use common::{Cluster, Worker, call, call_on, int, new};
use criterion::Criterion;
use measure::measure;
use testcase::execution::Executor;
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

const SOURCES: &str = r"
//- /p/Matrix.java
package p;

public class Matrix {
    private final double[][] rows;

    public Matrix(int size) {
        rows = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) rows[i][j] = i == j ? 2 : 1.0 / (i + j + 1);
    }
    public double[][] times(Matrix other) {
        int size = Math.min(rows.length, other.rows.length);
        double[][] product = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                double sum = 0;
                for (int k = 0; k < size; k++) sum += rows[i][k] * other.rows[k][j];
                product[i][j] = sum;
            }
        return product;
    }
    public int eliminate(double least) {
        double[][] copy = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) copy[i] = rows[i].clone();
        int rank = 0;
        for (int column = 0; column < copy.length; column++) {
            int pivot = column;
            for (int i = column + 1; i < copy.length; i++)
                if (Math.abs(copy[i][column]) > Math.abs(copy[pivot][column])) pivot = i;
            if (Math.abs(copy[pivot][column]) < least) continue;
            double[] swapped = copy[pivot];
            copy[pivot] = copy[column];
            copy[column] = swapped;
            rank++;
            for (int i = column + 1; i < copy.length; i++) {
                double factor = copy[i][column] / copy[column][column];
                for (int j = column; j < copy.length; j++) copy[i][j] -= factor * copy[column][j];
            }
        }
        return rank;
    }
    public static int digits(int number) {
        if (number < 0) return digits(-number) + 1;
        if (number > 9999) return 5;
        return number > 99 ? number > 999 ? 4 : 3 : number > 9 ? 2 : 1;
    }
}
";

/// A test that computes, and one that hardly does.
fn tests(cluster: &mut Cluster) -> (TestCase, TestCase) {
    let owner = "p/Matrix";
    let make = cluster.constructor(owner, "(I)V");
    let times = cluster.method(owner, "times", "(Lp/Matrix;)[[D");
    let eliminate = cluster.method(owner, "eliminate", "(D)I");
    let digits = cluster.static_method(owner, "digits", "(I)I");
    let least = Statement::Primitive { value: Value::Double(0.01), boxed: false };
    let computes =
        vec![int(12), new(make, &[0]), call_on(1, times, &[1]), least, call_on(1, eliminate, &[3])];
    let hardly =
        vec![int(7), int(-1234), int(100_000), call(digits, &[0]), call(digits, &[1]), call(digits, &[2])];
    (TestCase::new(computes), TestCase::new(hardly))
}

fn main() {
    jvm::vm::run_on_big_stack(|| {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let (computes, hardly) = tests(&mut cluster);
        let analysis = AnalysisOptions { mutants: true, ..AnalysisOptions::default() };
        let asked = (analysis, ValueOptions::default());
        let mut worker = Worker::start_analyzed(&compiled, &["p/Matrix"], cluster, asked, |options| {
            options.extra.extend(std::env::args().filter(|argument| argument.starts_with("-XX")));
        });
        let infections: Vec<OutcomeId> = worker
            .maps
            .iter()
            .flat_map(|map| &map.methods)
            .flat_map(|method| &method.mutants)
            .map(|mutant| mutant.infection)
            .collect();
        let Worker { executor, result, .. } = &mut worker;
        let mut open = infections.clone();
        for test in [&computes, &hardly] {
            executor.execute(test, &RunRequest::default(), result);
            open.retain(|&infection| result.trace.distance(infection) != 0.0);
        }
        open.sort_unstable();
        let mut criterion = Criterion::default();
        let mut group = criterion.benchmark_group("schemata");
        let left = format!("{} of {} mutants left", open.len(), infections.len());
        let states =
            [("no mutants", Some(&[][..])), ("all mutants", None), (left.as_str(), Some(open.as_slice()))];
        for (state, watched) in states {
            let request = RunRequest { outcomes: watched.map(Into::into), ..RunRequest::default() };
            // Beyond the pause of a class that was redefined.
            (0..2_000).for_each(|_| executor.execute(&computes, &request, result));
            measure(&mut group, &format!("loops, {state}"), || {
                executor.execute(black_box(&computes), &request, result);
            });
            measure(&mut group, &format!("calls, {state}"), || {
                executor.execute(black_box(&hardly), &request, result);
            });
        }
        group.finish();
        criterion.final_summary();
    })
    .expect("the thread starts");
    jvm::watchdog::leave_process(0);
}
