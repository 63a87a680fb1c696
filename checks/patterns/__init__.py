"""Every regular expression of both packages, tried with repetitions of its own parts."""
