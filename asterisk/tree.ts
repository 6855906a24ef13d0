import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The parts of one Asterisk installation, as absolute paths. */
export interface AsteriskTree {
  readonly asterisk: string
  /** The SIP phones of tests and demo; undefined in a server-only tree. */
  readonly sipp: string | undefined
  readonly espeakNg: string
  /** The folder of `espeak-ng-data`; the wrapper `espeakNg` of an installed tree knows it by itself. */
  readonly espeakData: string
  readonly flite: string
  /** Understands digits that callers say; undefined in a tree without it. */
  readonly pocketsphinx: string | undefined
  /** Converts operators' recordings. */
  readonly sndfileConvert: string
  readonly modules: string
  /** `astdatadir`: documentation (which Asterisk needs to start), prompts and API documents. */
  readonly data: string
  readonly sounds: string
  /** The source of `src/ari/ari-types.ts`. */
  readonly restApi: string
  /** `22.10.1`; undefined if unknown. */
  readonly version: string | undefined
}

/**
 * The tree that `install.sh` made in `directory`, or undefined. The stamp is written last, so a found tree is complete.
 */
export function findTree(directory: string): AsteriskTree | undefined {
  const stamp = resolve(directory, 'installed')
  if (!existsSync(stamp)) return undefined
  const usr = resolve(directory, 'root', 'usr')
  const architecture = readdirSync(join(usr, 'lib')).find((name) => existsSync(join(usr, 'lib', name, 'asterisk')))
  if (architecture === undefined) return undefined
  const bin = resolve(directory, 'bin')
  return {
    ...systemParts(usr, architecture),
    asterisk: join(bin, 'asterisk'),
    sipp: join(bin, 'sipp'),
    espeakNg: join(bin, 'espeak-ng'),
    flite: join(bin, 'flite'),
    pocketsphinx: existsSync(join(bin, 'pocketsphinx')) ? join(bin, 'pocketsphinx') : undefined,
    sndfileConvert: join(bin, 'sndfile-convert'),
    version: /^asterisk (.+)$/m.exec(readFileSync(stamp, 'utf8'))?.[1],
  }
}

/**
 * A system-wide Asterisk: Debian's package in the container of `Dockerfile`. `architecture` is Debian's multiarch name,
 * `x86_64-linux-gnu` or `aarch64-linux-gnu`.
 */
export function debianTree(architecture: string): AsteriskTree {
  return {
    ...systemParts('/usr', architecture),
    asterisk: '/usr/sbin/asterisk',
    sipp: undefined,
    espeakNg: '/usr/bin/espeak-ng',
    flite: '/usr/bin/flite',
    pocketsphinx: undefined,
    sndfileConvert: '/usr/bin/sndfile-convert',
    version: undefined,
  }
}

/** Debian's layout below `usr`. Its package of espeak-ng keeps the voices beside the libraries. */
function systemParts(usr: string, architecture: string) {
  const data = join(usr, 'share', 'asterisk')
  return {
    espeakData: join(usr, 'lib', architecture),
    modules: join(usr, 'lib', architecture, 'asterisk', 'modules'),
    data,
    sounds: join(data, 'sounds'),
    restApi: join(data, 'rest-api'),
  }
}
