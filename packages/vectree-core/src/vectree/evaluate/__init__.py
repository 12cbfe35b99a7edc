"""The paper's evaluation (§4, appendices A to F): systems, benchmarks, judges, metrics, tables."""
