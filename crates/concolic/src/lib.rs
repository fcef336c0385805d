//! Dynamic symbolic execution as a local search: symbolic values, path conditions, the interpreter that replays a
//! run, and the solvers that turn conditions into inputs. It must never know the JVM that produced the run, nor how
//! tests are printed.
