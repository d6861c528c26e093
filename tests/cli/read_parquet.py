"""Compares each Parquet table with the table of CSV beside it, as pandas and pyarrow read them."""

import pandas
import pyarrow.parquet

for name in ["runs", "list"]:
    table = pandas.read_parquet(f"{name}.parquet")
    text = pandas.read_csv(f"{name}.csv", keep_default_na=False, na_values={"value": ""}, dtype=str)
    assert list(table) == list(text), list(table)
    assert pyarrow.parquet.read_metadata(f"{name}.parquet").num_rows == len(text)
    for column in table:
        if table[column].dtype.kind in "iuf":
            numbers = pandas.to_numeric(text[column])
            absent = {"start_us": -1, "end_us": -1}.get(column)
            if absent is not None:
                numbers = numbers.where(numbers != absent)
            assert (table[column].isna() == numbers.isna()).all(), column
            assert (table[column].dropna() == numbers.dropna()).all(), column
        else:
            assert (table[column] == text[column]).all(), column
print("the same")
