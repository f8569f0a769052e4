import type { EscapeAttempt } from './escape-attempts.ts'

// Attempts that need system calls, which only native code can make. They fail on every driver.

const LIBRARY =
  'import ctypes, os, platform, socket\nlibc = ctypes.CDLL(None, use_errno=True)\nx64 = platform.machine() == ' +
  '"x86_64"\n' +
  'buffer = ctypes.create_string_buffer(4096)'

/** The expression is true if the attempt worked. An exception is a failure of the attempt. */
const attempt = (name: string, expression: string, before = ''): EscapeAttempt => ({
  name,
  kind: 'python',
  code:
    `try:\n    exec(${JSON.stringify(`${LIBRARY}\n${before}`)}, globals())\n    worked = ${expression}\n` +
    'except BaseException:\n    worked = False\nprint("ESCAPED" if worked else "confined")',
})

const NEW_USER = '0x10000000'

/** `SERVER_PID` and `PORT` are replaced by the process of the test and the port on which it listens. */
export const NATIVE_ATTEMPTS: readonly EscapeAttempt[] = [
  // Namespaces and mounts
  attempt('namespace: unshare users', `libc.unshare(${NEW_USER}) == 0`),
  attempt('namespace: unshare mounts', 'libc.unshare(0x00020000) == 0'),
  attempt('namespace: unshare the network', 'libc.unshare(0x40000000) == 0'),
  attempt('namespace: clone', `libc.syscall(56 if x64 else 220, ${NEW_USER} | 17, 0, 0, 0, 0) >= 0`),
  attempt(
    'namespace: clone3',
    'libc.syscall(435, buffer, 64) >= 0',
    `import struct\nbuffer[:64] = struct.pack("8Q", ${NEW_USER}, 0, 0, 0, 17, 0, 0, 0)`,
  ),
  attempt('namespace: join that of another process', 'libc.setns(os.open("/proc/1/ns/net", 0), 0) == 0'),
  attempt('mount: proc', 'libc.mount(b"proc", b"/mnt/files", b"proc", 0, None) == 0'),
  attempt('mount: make the root writable', 'libc.mount(None, b"/", None, 32, None) == 0'),
  attempt('mount: bind', 'libc.mount(b"/proc/1/root", b"/mnt/files", None, 4096, None) == 0'),
  attempt('mount: detach the files', 'libc.umount2(b"/mnt/files", 2) == 0'),
  attempt('mount: fsopen', 'libc.syscall(430, b"tmpfs", 0) >= 0'),
  attempt('mount: open_tree', 'libc.syscall(428, -100, b"/", 1) >= 0'),
  attempt('mount: pivot_root', 'libc.syscall(155 if x64 else 41, b"/tmp", b"/tmp") == 0'),
  attempt('mount: chroot', 'os.chroot("/mnt") is None'),
  // Other processes
  attempt('process: signal to the server', 'os.kill(SERVER_PID, 0) is None'),
  attempt('process: ptrace', 'libc.ptrace(16, 1, 0, 0) == 0'),
  attempt(
    'process: memory of another one',
    'libc.process_vm_readv(1, ctypes.byref(local), 1, ctypes.byref(local), 1, 0) > 0',
    'class Vector(ctypes.Structure):\n    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]\n' +
      'local = Vector(ctypes.addressof(buffer), 16)',
  ),
  attempt('process: file descriptor of another one', 'libc.syscall(438, os.pidfd_open(1), 0, 0) >= 0'),
  attempt(
    'process: root of the first one',
    '[p for p in ("/proc/1/root/etc/shadow", "/proc/1/root/root", "/proc/1/cwd/etc/shadow") if os.path.exists(p)]',
  ),
  attempt(
    'process: inherited files',
    '[p for p in (os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")) ' +
      'if p.startswith("/") and not p.startswith(("/dev/", "/proc/", "/null"))]',
  ),
  attempt(
    'process: programs of the machine',
    '[n for n in os.listdir("/proc") if n.isdigit() and b"patchbay" in open(f"/proc/{n}/cmdline", "rb").read()]',
  ),
  // Rights
  attempt(
    'rights: capabilities',
    '[line for line in open("/proc/self/status") if line.startswith(("CapEff", "CapPrm", "CapBnd")) and ' +
      'int(line.split()[1], 16)]',
  ),
  attempt('rights: new privileges', '"NoNewPrivs:\\t0" in open("/proc/self/status").read()'),
  attempt('rights: no filter of system calls', '"Seccomp:\\t0" in open("/proc/self/status").read()'),
  attempt('rights: become root', 'os.setuid(0) is None'),
  attempt(
    'rights: more processes',
    'resource.setrlimit(resource.RLIMIT_NPROC, (100_000, 100_000)) is None',
    'import resource',
  ),
  attempt('rights: personality', 'libc.personality(0x0040000) >= 0'),
  // The kernel of the machine
  attempt('kernel: bpf', 'libc.syscall(321 if x64 else 280, 0, buffer, 72) >= 0'),
  attempt('kernel: perf events', 'libc.syscall(298 if x64 else 241, buffer, 0, -1, -1, 0) >= 0'),
  attempt('kernel: io_uring', 'libc.syscall(425, 8, buffer) >= 0'),
  attempt('kernel: userfaultfd', 'libc.syscall(323 if x64 else 282, 1) >= 0'),
  attempt('kernel: keyring', 'libc.syscall(250 if x64 else 219, 0, -3, 1) >= 0'),
  attempt('kernel: new key', 'libc.syscall(248 if x64 else 217, b"user", b"name", b"value", 5, -2) >= 0'),
  attempt('kernel: log', 'libc.syscall(103 if x64 else 116, 3, buffer, 4096) >= 0'),
  attempt('kernel: calls of x32', 'x64 and libc.syscall(0x40000000 + 39) > 0'),
  attempt('kernel: file handles', 'libc.open_by_handle_at(-100, buffer, 0) >= 0'),
  attempt('kernel: core pattern', 'open("/proc/sys/kernel/core_pattern", "w").write("|/tmp/x")'),
  attempt('kernel: system request', 'open("/proc/sysrq-trigger", "w").write("h")'),
  attempt('kernel: memory', 'open("/proc/kcore", "rb").read(1)'),
  // Devices and the system
  attempt('device: mknod', 'os.mknod("/mnt/files/disk", 0o060666, os.makedev(8, 0)) is None'),
  attempt(
    'device: of the machine',
    '[n for n in ("sda", "vda", "mem", "kmsg", "kvm", "fuse", "net/tun") if os.path.exists(f"/dev/{n}")]',
  ),
  attempt('device: input into a terminal', 'fcntl.ioctl(0, 0x5412, b"x") is not None', 'import fcntl'),
  attempt('system: /sys', 'os.listdir("/sys/class")'),
  attempt('system: control groups', 'open("/sys/fs/cgroup/cgroup.procs").read()'),
  attempt('system: a program', 'open("/usr/bin/evil", "w").write("x")'),
  attempt('system: an account', 'open("/etc/passwd", "a").write("x")'),
  attempt('system: the root folder', 'open("/evil", "w").write("x")'),
  attempt('system: a device file', 'open("/dev/evil", "w").write("x")'),
  attempt('system: the program of the sandbox', 'open("/run/workbench/main.py", "a").write("x")'),
  // Sockets of other families
  attempt('socket: netlink', 'socket.socket(16, 3, 0).fileno() >= 0'),
  attempt('socket: packets', 'socket.socket(17, 3, 0x0300).fileno() >= 0'),
  attempt('socket: raw', 'socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).fileno() >= 0'),
  attempt('socket: IPv6', '[socket.socket(socket.AF_INET6).connect(("::1", PORT))]'),
  attempt('socket: virtual machine', 'socket.socket(40, 1).fileno() >= 0'),
  attempt('socket: kernel cryptography', 'socket.socket(38, 5, 0).fileno() >= 0'),
  attempt(
    'socket: abstract name of the machine',
    '[socket.socket(1, 1).connect("\\0patchbay-sandbox-PORT")]',
  ),
]
