/*
 * A disk that fails on purpose, preloaded (LD_PRELOAD) into a daemon. It sees the calls that change files below one folder.
 *
 * DISK_LAYER_FOLDER   files below this folder are watched
 * DISK_LAYER_JOURNAL  file to which each change and each sync is appended before it is made. Nothing is then really synced.
 *                     test/support/store/power_cut.ts makes of it what a disk may hold after the power went.
 * DISK_LAYER_CONTROL  file of 32-bit words, read at each call: delay of a sync in ms, share of failing syncs and of
 *                     failing writes in 1/1000, errno
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FDS = 65536 };
enum op { OP_CREATE = 1, OP_WRITE, OP_TRUNCATE, OP_SYNC, OP_SYNC_FOLDER, OP_RENAME, OP_UNLINK, OP_MKDIR };

struct record { uint32_t magic, op; uint64_t ino, at; uint32_t a_bytes, b_bytes; };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_bytes;
static int journal = -1;
static volatile const uint32_t *control;
/* Inode of each open file below the folder, 0 for others; folders have their path as well. */
static uint64_t inodes[FDS];
static char *folders[FDS];
static dev_t device;
static uint32_t dice = 88172645;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("DISK_LAYER_FOLDER");
  if (!name || !realpath(name, folder)) return;
  struct stat found;
  if (stat(folder, &found)) return;
  device = found.st_dev;
  folder_bytes = strlen(folder);
  const char *path = getenv("DISK_LAYER_JOURNAL");
  if (path) journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  path = getenv("DISK_LAYER_CONTROL");
  int words = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0) : -1;
  if (words >= 0) {
    void *map = mmap(NULL, 16, PROT_READ, MAP_SHARED, words, 0);
    if (map != MAP_FAILED) control = map;
  }
}

#define REAL(type, name, ...)                                         \
  static type (*real)(__VA_ARGS__);                                   \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Whether a path is below the folder; `out` gets it absolute, with what the last name may be that is not there yet. */
static int watched(int at, const char *path, char out[PATH_MAX]) {
  char joined[PATH_MAX], head[PATH_MAX];
  if (!folder_bytes || !path) return 0;
  if (path[0] == '/' || at == AT_FDCWD) snprintf(joined, sizeof joined, "%s", path);
  else if (at >= 0 && at < FDS && folders[at]) snprintf(joined, sizeof joined, "%s/%s", folders[at], path);
  else return 0;
  char *slash = strrchr(joined, '/');
  if (!slash) return 0;
  *slash = 0;
  if (!realpath(joined, head) || strlen(head) + strlen(slash + 1) + 2 > PATH_MAX) return 0;
  stpcpy(stpcpy(stpcpy(out, head), "/"), slash + 1);
  return strncmp(out, folder, folder_bytes) == 0 && (out[folder_bytes] == 0 || out[folder_bytes] == '/');
}

static void note(enum op op, uint64_t ino, uint64_t at, const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  if (journal < 0) return;
  struct record record = {0x4c44, op, ino, at, (uint32_t)a_bytes, (uint32_t)b_bytes};
  struct iovec parts[] = {{&record, sizeof record}, {(void *)a, a_bytes}, {(void *)b, b_bytes}};
  if (syscall(SYS_writev, journal, parts, 3) < 0) abort();
}

static int fails(int word) {
  uint32_t share = control ? control[word] : 0;
  if (!share) return 0;
  dice ^= dice << 13, dice ^= dice >> 17, dice ^= dice << 5;
  if (dice % 1000 >= share) return 0;
  errno = (int)control[3];
  return 1;
}

/* Not every close is seen (some are made without the C library): a number may be that of another file by now. */
static uint64_t inode(int fd) {
  if (fd < 0 || fd >= FDS || !inodes[fd]) return 0;
  struct stat found;
  if (!fstat(fd, &found) && found.st_ino == inodes[fd] && found.st_dev == device) return inodes[fd];
  return inodes[fd] = 0;
}

static int opened(int fd, int at, const char *path, int flags, int was_there) {
  char full[PATH_MAX];
  struct stat found;
  if (fd < 0 || fd >= FDS) return fd;
  inodes[fd] = 0;
  free(folders[fd]);
  folders[fd] = NULL;
  if (!watched(at, path, full) || fstat(fd, &found)) return fd;
  inodes[fd] = found.st_ino;
  if (S_ISDIR(found.st_mode)) {
    folders[fd] = strdup(full);
    return fd;
  }
  if (!was_there) note(OP_CREATE, found.st_ino, 0, full, strlen(full), "", 0);
  else if (flags & O_TRUNC) note(OP_TRUNCATE, found.st_ino, 0, "", 0, "", 0);
  return fd;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  if (!folder_bytes) return (int)syscall(SYS_openat, at, path, flags, mode);
  pthread_mutex_lock(&order);
  int was_there = syscall(SYS_faccessat, at, path, F_OK) == 0;
  int fd = opened((int)syscall(SYS_openat, at, path, flags, mode), at, path, flags, was_there);
  int error = errno;
  pthread_mutex_unlock(&order);
  errno = error;
  return fd;
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                     \
  int name(const char *path, int flags, ...) {         \
    va_list rest;                                      \
    va_start(rest, flags);                             \
    mode_t mode = mode_of(flags, rest);                \
    va_end(rest);                                      \
    return open_at(AT_FDCWD, path, flags, mode);       \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                      \
  int name(int at, const char *path, int flags, ...) {    \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = mode_of(flags, rest);                   \
    va_end(rest);                                         \
    return open_at(at, path, flags, mode);                \
  }
OPENAT(openat)
OPENAT(openat64)
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* Writes at an offset; `at` < 0 is the file's own. */
static ssize_t write_at(int fd, const void *bytes, size_t count, off_t at) {
  if (!inode(fd)) return at < 0 ? syscall(SYS_write, fd, bytes, count) : syscall(SYS_pwrite64, fd, bytes, count, at);
  if (fails(2)) return -1;
  pthread_mutex_lock(&order);
  uint64_t ino = inodes[fd];
  off_t place = at;
  struct stat found;
  if (at < 0) place = (fcntl(fd, F_GETFL) & O_APPEND) && !fstat(fd, &found) ? found.st_size : lseek(fd, 0, SEEK_CUR);
  note(OP_WRITE, ino, (uint64_t)place, bytes, count, "", 0);
  ssize_t done = at < 0 ? syscall(SYS_write, fd, bytes, count) : syscall(SYS_pwrite64, fd, bytes, count, at);
  int error = errno;
  pthread_mutex_unlock(&order);
  errno = error;
  return done;
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_at(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return write_at(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return write_at(fd, bytes, count, at); }

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t at) {
  ssize_t sum = 0;
  for (int n = 0; n < count; n++) {
    ssize_t done = write_at(fd, parts[n].iov_base, parts[n].iov_len, at < 0 ? at : at + sum);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
    if ((size_t)done < parts[n].iov_len) break;
  }
  return sum;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return inode(fd) ? write_parts(fd, parts, count, -1) : syscall(SYS_writev, fd, parts, count);
}
#define PWRITEV(name, offset)                                                       \
  ssize_t name(int fd, const struct iovec *parts, int count, offset at) {           \
    REAL(ssize_t, #name, int, const struct iovec *, int, offset);                   \
    return inode(fd) ? write_parts(fd, parts, count, at) : real(fd, parts, count, at); \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

static int truncate_to(int fd, off_t bytes) {
  if (!inode(fd)) return (int)syscall(SYS_ftruncate, fd, bytes);
  if (fails(2)) return -1;
  pthread_mutex_lock(&order);
  note(OP_TRUNCATE, inodes[fd], (uint64_t)bytes, "", 0, "", 0);
  int done = (int)syscall(SYS_ftruncate, fd, bytes);
  pthread_mutex_unlock(&order);
  return done;
}
int ftruncate(int fd, off_t bytes) { return truncate_to(fd, bytes); }
int ftruncate64(int fd, off64_t bytes) { return truncate_to(fd, bytes); }

static int sync_of(int fd, long call) {
  if (!inode(fd)) return (int)syscall(call, fd);
  uint32_t delay_ms = control ? control[0] : 0;
  if (delay_ms) {
    struct timespec pause = {delay_ms / 1000, (long)(delay_ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
  }
  if (fails(1)) return -1;
  if (journal < 0) return (int)syscall(call, fd);
  pthread_mutex_lock(&order);
  if (folders[fd]) note(OP_SYNC_FOLDER, 0, 0, folders[fd], strlen(folders[fd]), "", 0);
  else note(OP_SYNC, inodes[fd], 0, "", 0, "", 0);
  pthread_mutex_unlock(&order);
  return 0;
}
int fsync(int fd) { return sync_of(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_of(fd, SYS_fdatasync); }

/* Names are noted after the change: many are tried that fail. */
int renameat(int from_at, const char *from, int to_at, const char *to) {
  char a[PATH_MAX], b[PATH_MAX];
  pthread_mutex_lock(&order);
  int done = (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
  int error = errno;
  if (!done && watched(from_at, from, a) && watched(to_at, to, b)) note(OP_RENAME, 0, 0, a, strlen(a), b, strlen(b));
  pthread_mutex_unlock(&order);
  errno = error;
  return done;
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int at, const char *path, int flags) {
  char a[PATH_MAX];
  pthread_mutex_lock(&order);
  int done = (int)syscall(SYS_unlinkat, at, path, flags);
  int error = errno;
  if (!done && watched(at, path, a)) note(OP_UNLINK, 0, 0, a, strlen(a), "", 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return done;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int done = unlink(path);
  return done < 0 && errno == EISDIR ? rmdir(path) : done;
}

int mkdirat(int at, const char *path, mode_t mode) {
  char a[PATH_MAX];
  pthread_mutex_lock(&order);
  int done = (int)syscall(SYS_mkdirat, at, path, mode);
  int error = errno;
  if (!done && watched(at, path, a)) note(OP_MKDIR, 0, 0, a, strlen(a), "", 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return done;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
