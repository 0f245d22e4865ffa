import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Between a program and its files: while the named fault is on, what is read, written or made durable there fails. */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
static int broken(int fd) {
  const char *all = getenv("FAULT_PATHS"), *flags = getenv("FAULT_FLAGS");
  char name[64], path[PATH_MAX], flag[PATH_MAX];
  if (!all || !flags) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(name, path, sizeof path - 1);
  if (n <= 0 || path[0] != '/') return 0;
  path[n] = 0;
  for (const char *p = all; *p;) {
    const char *is = strchr(p, '='), *end = strchrnul(p, ';');
    if (is && !strncmp(path, is + 1, end - is - 1)) {
      snprintf(flag, sizeof flag, "%s/%.*s", flags, (int)(is - p), p);
      int was = errno, on = !access(flag, F_OK);
      errno = was;
      if (on) return 1;
    }
    p = *end ? end + 1 : end;
  }
  return 0;
}
#define GUARD(type, name, params, args) \\
  type name params { \\
    static type (*real) params; \\
    if (!real) real = dlsym(RTLD_NEXT, #name); \\
    if (broken(fd)) { errno = EIO; return -1; } \\
    return real args; \\
  }
GUARD(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n))
GUARD(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
GUARD(ssize_t, pwrite64, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
GUARD(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
GUARD(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t o), (fd, v, n, o))
GUARD(ssize_t, pwritev64, (int fd, const struct iovec *v, int n, off_t o), (fd, v, n, o))
GUARD(int, fsync, (int fd), (fd))
GUARD(int, fdatasync, (int fd), (fd))
GUARD(int, posix_fallocate, (int fd, off_t o, off_t n), (fd, o, n))
GUARD(int, ftruncate, (int fd, off_t n), (fd, n))
`

export interface Faults {
  /** What a program is started with, so that its files can fail. */
  env: Record<string, string>
  set(name: string, on: boolean): void
}
/** Files under these folders fail with EIO while their fault is on; without a compiler it is not to be had. */
export function faults(folder: string, paths: Record<string, string>): Faults | undefined {
  const flags = join(folder, 'faults')
  const library = join(flags, 'shim.so')
  mkdirSync(flags, { mode: 0o755 })
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-x', 'c', '-', '-o', library, '-ldl'], {
    input: SHIM,
  })
  if (built.status !== 0) return undefined
  return {
    env: {
      LD_PRELOAD: library,
      FAULT_FLAGS: flags,
      FAULT_PATHS: Object.entries(paths)
        .map(([name, path]) => `${name}=${path}`)
        .join(';'),
    },
    set(name, on) {
      if (on) writeFileSync(join(flags, name), '')
      else rmSync(join(flags, name), { force: true })
    },
  }
}

const MB = 1024 * 1024
export interface SmallDisk {
  /** Not one more byte fits. */
  fill(): void
  free(): void
  /** The disk goes, with what it holds. */
  remove(): void
}
const sh = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })
export const mayMount = (folder: string): boolean => {
  const place = join(folder, 'mount')
  mkdirSync(place)
  const ok = sh('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place).status === 0
  if (ok) sh('umount', place)
  rmSync(place, { recursive: true })
  return ok
}
/** Lays a disk of its own under a folder that nobody uses now: what it holds, and so many bytes more. */
export function smallDisk(folder: string, roomMb: number): SmallDisk {
  const was = join(dirname(folder), `was-${folder.split('/').pop()}`)
  const { uid, gid, mode } = statSync(folder)
  const holds = Number(sh('du', '-sm', folder).stdout.split('\t')[0])
  renameSync(folder, was)
  mkdirSync(folder)
  const options = `size=${holds + roomMb}m,uid=${uid},gid=${gid},mode=${(mode & 0o777).toString(8)}`
  const mounted = sh('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)
  if (mounted.status !== 0) throw new Error(mounted.stderr)
  const copied = sh('cp', '-a', `${was}/.`, folder)
  if (copied.status !== 0) throw new Error(copied.stderr)
  rmSync(was, { recursive: true })
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      const fd = openSync(ballast, 'a')
      for (let size = MB; size >= 1; size = Math.floor(size / 4))
        for (;;)
          try {
            writeSync(fd, Buffer.alloc(size))
          } catch {
            break
          }
      closeSync(fd)
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => void sh('umount', folder),
  }
}
