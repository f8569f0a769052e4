import { bash, type EscapeAttempt, python } from './escape-attempts.ts'

/** Attempts to use up what other sessions need. The sandbox may end; the next call must work. */
export const EXHAUSTION_ATTEMPTS: readonly EscapeAttempt[] = [
  { ...python('exhaustion: endless loop', 'while True: pass'), ends: true },
  {
    ...python(
      'exhaustion: endless loop that catches',
      'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    ),
    ends: true,
  },
  { ...python('exhaustion: memory', 'x = []\nwhile True: x.append(bytearray(50_000_000))'), ends: true },
  { ...python('exhaustion: recursion', 'def f(): return f()\nf()'), ends: true },
  python('exhaustion: output', 'for i in range(400): print("x" * 100_000)'),
  python(
    'exhaustion: disk',
    'try:\n  with open("/tmp/big", "wb") as f:\n    for i in range(10_000): f.write(b"x" * 10_000_000)\nexcept ' +
      'OSError as e: print(e)\nimport os; os.remove("/tmp/big")',
  ),
  {
    ...python(
      'exhaustion: inodes',
      'import os, shutil\nos.mkdir("/tmp/many")\ntry:\n  for i in range(200_000): open(f"/tmp/many/{i}", ' +
        '"w").close()\nexcept OSError as e: print(e)\nshutil.rmtree("/tmp/many")',
    ),
    // Counted from outside, so that the sandbox is stopped.
    ends: ['bubblewrap'],
  },
  python(
    'exhaustion: threads',
    'import threading\ntry:\n  for i in range(10_000): threading.Thread(target=lambda: None).start()\nexcept ' +
      'RuntimeError as e: print(e)',
  ),
  { ...python('exhaustion: crash', 'import ctypes\nctypes.string_at(0xffffff00, 100)'), ends: true },
  { ...bash('exhaustion: fork bomb', ':(){ :|:& };:'), ends: true },
  { ...bash('exhaustion: endless loop', 'while true; do :; done'), ends: true },
  bash('exhaustion: output', 'seq 1 3000000'),
]

/** Attempts of native code to use up what other sessions need. The sandbox may end; the next call must work. */
export const NATIVE_EXHAUSTION: readonly EscapeAttempt[] = [
  {
    name: 'exhaustion: processes that stay',
    kind: 'bash',
    code: 'for i in $(seq 2000); do sleep 1000 & done 2>/dev/null; echo started',
    ends: true,
  },
  {
    name: 'exhaustion: memory of many processes',
    kind: 'bash',
    code: `for i in $(seq 40); do python3 -c 'x = bytearray(100_000_000); import time; time.sleep(60)' & done 2>/dev/null; wait`,
    ends: true,
  },
  {
    name: 'exhaustion: shared memory',
    kind: 'bash',
    code: 'head -c 10000000000 /dev/zero > /dev/shm/large; echo "status $?"; rm -f /dev/shm/large',
    ends: true,
  },
  {
    name: 'exhaustion: file descriptors',
    kind: 'python',
    code:
      'try:\n  files = [open("/dev/null") for _ in range(1_000_000)]\nexcept OSError as problem:\n  ' +
      'print(problem)\nfiles = None',
    ends: true,
  },
  {
    name: 'exhaustion: signals to every process',
    kind: 'bash',
    code: 'kill -9 -1',
    ends: true,
  },
]
