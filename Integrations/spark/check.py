"""Checks a list of files with Spark: each partition is a task that pipes its paths through artworkd.

    spark-submit check.py LIST RESULTS

LIST has one path a line, RESULTS is a new folder for the rows, as NDJSON. All files of a folder go to one task, so that
releases stay whole. The rules that compare releases are judged within each task only; where these matter, use --shard
and artworkd merge instead. A task that dies is repeated by Spark.
"""

import os
import sys

from pyspark.sql import SparkSession


def main():
    files, results = sys.argv[1:]
    context = SparkSession.builder.appName("artworkd").getOrCreate().sparkContext
    paths = context.textFile(files).filter(bool)
    tasks = max(1, context.defaultParallelism)
    folders = paths.map(lambda path: (os.path.dirname(path), path)).groupByKey(tasks)
    listed = folders.flatMap(lambda folder: sorted(folder[1]))
    # Any other exit code than 0 is a crash to Spark, and 2 is a file that cannot be read, which is a result.
    rows = listed.pipe(
        "sh -c 'artworkd check --format ndjson --jobs 1 --fail-on never --quiet - || [ $? -eq 2 ]'",
        env=dict(os.environ), checkCode=True)
    # Each task ends with a summary of its own.
    rows.filter(lambda row: not row.startswith('{"schemaVersion"')).saveAsTextFile(results)


if __name__ == "__main__":
    main()
