"""The picture that the other examples use."""

from collections.abc import Iterable, Sequence

import numpy as np

from shaders.examples import harbour as example


def test_bands_show_no_seams() -> None:
    """The background of some rows equals these rows of the whole background."""
    whole = example.background(48, 36, slice(0, 36))
    parts = [example.background(48, 36, slice(top, top + 12)) for top in (0, 12, 24)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_every_band_is_tracked() -> None:
    seen: list[slice] = []

    def track(bands: Sequence[slice]) -> Iterable[slice]:
        for band in bands:
            yield band
            seen.append(band)

    picture = example.harbour(8, 600, finer=1, track=track)
    assert [row for band in seen for row in range(band.start, band.stop)] == list(range(600))
    assert (picture.shape, picture.dtype) == ((600, 8, 4), np.uint8)
    np.testing.assert_array_equal(picture, example.harbour(8, 600, finer=1))


def test_it_has_gradients_noise_and_edges() -> None:
    """A gradient, noise on it, and steep edges."""
    picture = example.harbour(128).astype(np.int16)
    assert (picture[..., 3] == 255).all()
    sky = picture[:12, :32]
    assert np.polyfit(range(12), sky[..., 0].mean(axis=1), 1)[0] > 0.5
    assert 2 < np.diff(sky[..., 0]).std() / np.sqrt(2) < 3  # the grain is 2.5
    assert abs(np.diff(picture[..., 0])).max() > 100
