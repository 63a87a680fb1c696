"""The digest. `test_encode.py` compares it with those that Microsoft's compiler wrote."""

import pytest

from translate.dxbc.container import checksum_matches, compute_checksum

from .build import held


@pytest.mark.parametrize("length", range(0, 130))
def test_both_ways_agree_for_every_padding(length: int) -> None:
    data = bytes(20) + bytes(i * 7 & 255 for i in range(length))
    signed = data[:4] + compute_checksum(data) + data[20:]
    assert checksum_matches(signed)
    assert not checksum_matches(data)


@pytest.mark.parametrize("offset", [4, 19, 20, 200, -1])
def test_a_changed_byte_shows(offset: int) -> None:
    data = bytearray(held("interfaces"))
    data[offset] ^= 1
    assert not checksum_matches(bytes(data))


def test_without_md5_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr("hashlib.md5", refuse)
    data = held("forms_high")
    assert checksum_matches(data)
    assert not checksum_matches(data[:-1] + b"!")
