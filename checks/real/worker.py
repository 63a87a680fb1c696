"""`python -m checks.real.worker`: judge the programs that lines of standard input name, in JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import warnings

import vkrunner

from .judge import Judge, Verdict


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with vkrunner.open_device("reference") as machine, vkrunner.open_device(given.device) as device:
        judge = Judge(machine, device)
        print(json.dumps(device.name), flush=True)
        for line in sys.stdin:
            path, seed = json.loads(line)
            try:
                verdict = judge.judge(path, seed)
            except Exception as error:
                name = f"{type(error).__name__}: {str(error)[:300]}"
                verdict = Verdict(path, seed, [f"error {type(error).__name__}"], [name])
            print(json.dumps(dataclasses.asdict(verdict)), flush=True)


if __name__ == "__main__":
    main()
