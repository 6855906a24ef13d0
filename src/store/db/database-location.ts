import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The folders of an embedded server, and its operating system user. */
export interface DatabasePlace {
  /** Outside the data directory, although users would expect it inside. */
  readonly isElsewhere: boolean
  readonly runtime: string
  readonly cluster: string
  readonly logFile: string
  /** Folder of the Unix socket: only this process and the server may enter it. */
  readonly socket: string
  /** The user of the server; undefined: the user of this process. PostgreSQL refuses to run as root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  /** Folder for files that the user of the server may read and not change. */
  readonly rules: string
}

/** `nobody`, on every Linux. */
const NOBODY = 65534
/** The path of a socket has at most 108 bytes; the file's name takes some of them. */
const SOCKET_FOLDER_LENGTH_MAX = 88
/** For a server that does not run as root, when only root can reach the data directory. */
const SHARED_ROOT = '/var/lib/switchboard'

/** For root below a closed folder (root's home), `/var/lib/switchboard`. Throws if a folder fails or is another's. */
export function databasePlace(dataDirectory: string, uid: number): DatabasePlace {
  const user = uid === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
  const wanted = resolve(dataDirectory)
  const mark = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  const isClosed = user !== undefined && !isOpenToAll(wanted)
  const root = isClosed ? join(SHARED_ROOT, mark) : join(wanted, 'postgres')
  mkdirSync(root, { recursive: true, mode: 0o755 })
  const shortSocket = join(tmpdir(), `switchboard-${mark}`)
  const ownSocket = join(root, 'socket')
  const socket = ownSocket.length > SOCKET_FOLDER_LENGTH_MAX ? shortSocket : ownSocket
  const place = {
    isElsewhere: isClosed,
    runtime: join(root, 'runtime'),
    cluster: join(root, 'server/cluster'),
    socket,
    user,
    rules: root,
  }
  for (const folder of [dirname(place.cluster), socket]) makePrivate(folder, user?.uid ?? uid)
  return { ...place, logFile: join(root, 'server/postgres.log') }
}

/** Whether any user may enter a folder and its ancestors, as far as they exist. */
function isOpenToAll(folder: string): boolean {
  const above = dirname(folder)
  const found = existsSync(folder) ? statSync(folder) : undefined
  if (found?.isDirectory() && (found.mode & 0o001) === 0) return false
  return above === folder || isOpenToAll(above)
}

/** Any user may have created a folder in the system's temporary directory, so its owner is checked. */
function makePrivate(folder: string, owner: number): void {
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew && owner === NOBODY) chownSync(folder, owner, owner)
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== owner) {
    throw new Error(`${folder} belongs to somebody else; remove it, or choose another DATA_DIR`)
  }
  chmodSync(folder, 0o700)
}
