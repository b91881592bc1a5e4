#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a Parquet table with a CSV one, by a decoder of its own of what such tables use: Thrift's
compact protocol, required columns, plain pages without compression.
    read_parquet.py TABLE.parquet TABLE.csv"""
import csv
import math
import struct
import sys


class Thrift:
    def __init__(self, data, place):
        self.data, self.place = data, place

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def value(self, kind):
        if kind in (5, 6):
            number = self.varint()
            return number >> 1 ^ -(number & 1)
        if kind == 8:
            length = self.varint()
            self.place += length
            return self.data[self.place - length:self.place]
        if kind == 9:
            byte = self.data[self.place]
            self.place += 1
            count = self.varint() if byte >> 4 == 15 else byte >> 4
            return [self.value(byte & 15) for _ in range(count)]
        assert kind == 12, f"unexpected kind {kind}"
        fields, number = {}, 0
        while self.data[self.place] != 0:
            byte = self.data[self.place]
            self.place += 1
            assert byte >> 4, "a long field header"
            number += byte >> 4
            fields[number] = self.value(byte & 15)
        self.place += 1
        return fields


def read(path):
    data = open(path, "rb").read()
    assert data[:4] == data[-4:] == b"PAR1"
    footer = Thrift(data, len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]).value(12)
    root, *schema = footer[2]
    assert root[5] == len(schema) and all(c[3] == 0 for c in schema)
    columns = {c[4].decode(): [] for c in schema}
    for group in footer[4]:
        for column, chunk in zip(schema, group[1]):
            about = chunk[3]
            assert about[3] == [column[4]] and about[4] == 0 and about[1] == column[1]
            page = Thrift(data, about[9])
            header = page.value(12)
            rows, place = header[5][1], page.place
            assert rows == about[5] == group[3] and place + header[2] == about[9] + about[7]
            values = columns[column[4].decode()]
            for _ in range(rows):
                if column[1] == 6:
                    length = struct.unpack_from("<I", data, place)[0]
                    values.append(data[place + 4:place + 4 + length].decode())
                    place += 4 + length
                else:
                    values.append(struct.unpack_from("<q" if column[1] == 2 else "<d", data, place)[0])
                    place += 8
            assert place == page.place + header[2]
    assert all(len(values) == footer[3] for values in columns.values())
    return columns, {fact[1].decode(): fact[2].decode() for fact in footer.get(5, [])}


def same(value, text):
    if isinstance(value, str):
        return value == text.removeprefix("'")
    return float(text) == value or (math.isnan(value) and math.isnan(float(text)))


columns, facts = read(sys.argv[1])
rows = list(csv.reader(open(sys.argv[2], newline="")))
assert list(columns) == rows[0], (list(columns), rows[0])
assert "model" in facts and facts["version"], facts
for i, row in enumerate(rows[1:]):
    for name, text in zip(rows[0], row):
        assert same(columns[name][i], text), (i, name, columns[name][i], text)
assert all(len(values) == len(rows) - 1 for values in columns.values())
