//! Instrumentation of classes of the JDK at hand: small and large ones, with all kinds of control flow. The time of
//! a whole JDK is what `xtask bench instrument` measures.

use std::hint::black_box;

use bytecode::analysis::{AnalysisOptions, ClassAnalysis, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::instrument::{StaticFields, instrument_analyzed, instrument_full, instrument_light};
use bytecode::name::ClassName;
use bytecode::source::ClassSource;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const CLASSES: [&str; 20] = [
    "java/lang/Integer",
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/Thread",
    "java/lang/Throwable",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/net/URI",
    "java/net/URI$Parser",
    "java/text/SimpleDateFormat",
    "java/time/LocalDate",
    "java/time/Month",
    "java/util/ArrayList",
    "java/util/Collections",
    "java/util/Formatter",
    "java/util/HashMap",
    "java/util/HashMap$Node",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/regex/Pattern",
    "java/util/zip/ZipFile",
];

fn instrument(criterion: &mut Criterion) {
    let class_path = fixture::class_path(&[]);
    let bytes = |name: &&str| class_path.class_bytes(&ClassName::new(*name)).expect("the JDK has the class");
    let classes: Vec<_> = CLASSES.iter().map(bytes).collect();
    let mut group = criterion.benchmark_group("20 classes of the JDK");
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            for bytes in &classes {
                black_box(ClassFile::parse(bytes).expect("a class file"));
            }
        });
    });
    group.bench_function("parse and analyze", |bencher| {
        bencher.iter(|| {
            let mut ids = ProbeIds::default();
            for bytes in &classes {
                let class = ClassFile::parse(bytes).expect("a class file");
                black_box(analyze(&class, AnalysisOptions::default(), &mut ids).expect("it can be analyzed"));
            }
        });
    });
    group.bench_function("rewrite", |bencher| {
        let parsed: Vec<_> =
            classes.iter().map(|bytes| ClassFile::parse(bytes).expect("a class file")).collect();
        let mut ids = ProbeIds::default();
        let analyze =
            |class| analyze(class, AnalysisOptions::default(), &mut ids).expect("it can be analyzed");
        let analyzed: Vec<_> = parsed.iter().map(analyze).collect();
        let work = |analyzed: Vec<ClassAnalysis>| {
            let mut statics = StaticFields::new();
            let done = parsed.iter().zip(analyzed);
            done.map(|(class, analysis)| instrument_analyzed(class, analysis, &mut statics))
                .collect::<Vec<_>>()
        };
        bencher.iter_batched(|| analyzed.clone(), work, BatchSize::SmallInput);
    });
    group.bench_function("light", |bencher| {
        bencher.iter(|| {
            let mut statics = StaticFields::new();
            for bytes in &classes {
                black_box(instrument_light(bytes, &mut statics).expect("it can be instrumented"));
            }
        });
    });
    group.bench_function("full", |bencher| {
        bencher.iter(|| {
            let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
            for bytes in &classes {
                black_box(
                    instrument_full(bytes, AnalysisOptions::default(), &mut ids, &mut statics)
                        .expect("it can be instrumented"),
                );
            }
        });
    });
    group.finish();
}

criterion_group!(benches, instrument);
criterion_main!(benches);
