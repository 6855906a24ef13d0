/** The files about the switch itself: its folders and limits, its log, its two servers (HTTP with ARI, RTP). */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { AsteriskConfig } from '../src/installation/config.ts'
import type { AriAccess, ConfigInput } from './config-input.ts'
import { configText, section } from './config-text.ts'

/** Folders that Asterisk writes to, in the run directory. They must exist before it starts. */
export const RUN_FOLDERS = ['lib', 'db', 'keys', 'spool/recording', 'run', 'log/cel-custom', 'cache', 'music'] as const

/** The recordings of a run directory, each as `<name>.wav` (8 kHz, 16 bit, two channels). */
export const recordingsFolder = (runDirectory: string) => join(runDirectory, 'spool', 'recording')

/** The music on hold of a run directory, which Asterisk reads by its folder. */
export const musicFile = (runDirectory: string) => join(runDirectory, 'music', 'hold.sln')

/** The configuration in a run directory. */
export const configFolder = (runDirectory: string) => join(runDirectory, 'etc')

/** Open files; a call of two legs needs about ten. Asterisk respects a lower hard limit. */
const OPEN_FILES_MAX = 16_384

/** HTTP sessions; the default of 100 is too low for a pool of kept-alive connections. */
const HTTP_SESSIONS_MAX = 1_000

/**
 * How long a write to a busy engine may block before Asterisk closes the connection (its default of 100 ms is short).
 */
const WEBSOCKET_WRITE_TIMEOUT_MS = 5_000

/**
 * By default Asterisk stretches a shorter key to 80 ms, and holds the next keys back meanwhile: it reports them twice,
 * and waits for their turn in a busy loop. Measured in operating.md, "Keys".
 */
const SHORTEST_KEY_MS = 0

/**
 * The `asterisk_id` of the switch in this run directory. By default Asterisk derives it from the MAC address, the same
 * for two switches of one machine; ours is a locally administered address derived from the path.
 */
export function entityId(runDirectory: string): string {
  const hash = createHash('sha256').update(runDirectory).digest('hex')
  return ['02', ...hash.slice(0, 10).match(/../g)!].join(':')
}

/** `asterisk.conf`. No core dumps (memory holds numbers and passwords), no root needed. */
export function asteriskConfig({
  tree,
  runDirectory,
  foreignFolder,
}: Pick<ConfigInput, 'tree' | 'runDirectory' | 'foreignFolder'>): string {
  const id = entityId(runDirectory)
  return configText([
    section(
      'directories',
      ['astetcdir', foreignFolder ?? configFolder(runDirectory)],
      ['astmoddir', tree.modules],
      ['astvarlibdir', join(runDirectory, 'lib')],
      ['astdbdir', join(runDirectory, 'db')],
      ['astkeydir', join(runDirectory, 'keys')],
      ['astdatadir', tree.data],
      ['astagidir', join(runDirectory, 'lib')],
      ['astspooldir', join(runDirectory, 'spool')],
      ['astrundir', join(runDirectory, 'run')],
      ['astlogdir', join(runDirectory, 'log')],
      ['astcachedir', join(runDirectory, 'cache')],
    ),
    section(
      'options',
      ['systemname', `asterisk-${id.slice(-5).replace(':', '')}`],
      ['entityid', id],
      ['live_dangerously', 'no'],
      ['disable_remote_console_shell', 'yes'],
      ['dumpcore', 'no'],
      ['maxfiles', OPEN_FILES_MAX],
      ['mindtmfduration', SHORTEST_KEY_MS],
      ['cache_media_frames', 'yes'],
      ['transmit_silence', 'yes'],
      ['documentation_language', 'en_US'],
      ['nocolor', 'yes'],
      ['dontwarn', 'yes'],
      ['hideconnect', 'yes'],
    ),
  ])
}

/** Files of the log. */
export const UNFILTERED = 'unfiltered'
export const SECURITY = 'security'

/**
 * `logger.conf`: errors and warnings, and security events in a file of their own (read by a ban rule, faults.md 4.4).
 */
export function loggerConfig(): string {
  return configText([
    section('general', ['dateformat', '%F %T.%3q'], ['use_callids', 'yes'], ['logger_queue_limit', 1_000]),
    section('logfiles', [UNFILTERED, 'notice,warning,error'], [SECURITY, 'security']),
  ])
}

/** `http.conf`: ARI is reachable from this machine only. */
export function httpConfig({ port }: AriAccess): string {
  return configText([
    section(
      'general',
      ['servername', 'switchboard'],
      ['enabled', 'yes'],
      ['bindaddr', '127.0.0.1'],
      ['bindport', port],
      ['enable_static', 'no'],
      ['enable_status', 'no'],
      ['sessionlimit', HTTP_SESSIONS_MAX],
      ['session_inactivity', 30_000],
      ['session_keep_alive', 60_000],
    ),
  ])
}

/** Stand in every event of a channel: its codec, and the packets of its sound. Read by `src/ari/leg-sound.ts`. */
const CHANNEL_VARIABLES = 'CHANNEL(audionativeformat),RTPAUDIOQOS'

/**
 * `ari.conf`. The password is random, used nowhere else, and the file is readable by its owner only; `crypt` would cost
 * every HTTP request thousands of hash rounds, and protect a file that stands beside the password anyway.
 */
export function ariConfig({ user, password }: AriAccess): string {
  return configText([
    section(
      'general',
      ['enabled', 'yes'],
      ['pretty', 'no'],
      ['allowed_origins', ''],
      ['websocket_write_timeout', WEBSOCKET_WRITE_TIMEOUT_MS],
      ['channelvars', CHANNEL_VARIABLES],
    ),
    section(user, ['type', 'user'], ['read_only', 'no'], ['password', password], ['password_format', 'plain']),
  ])
}

/**
 * `hep.conf`: copies of SIP messages go to the engine, at the UDP port of loopback with the number of ARI's TCP port.
 * While no engine listens they are lost, like any packet.
 */
export function sipCopiesConfig({ port }: AriAccess): string {
  return configText([
    section(
      'general',
      ['enabled', 'yes'],
      ['capture_address', `127.0.0.1:${port}`],
      ['capture_id', 1],
      ['uuid_type', 'call-id'],
    ),
  ])
}

/**
 * `rtp.conf`: audio is accepted from the source alone that was learned in the first 5 s (`strictrtp`; for browsers that
 * move, see calls-and-flows-105). ICE (RFC 8445) is for browsers: endpoints without `webrtc` neither offer nor take it.
 */
export function rtpConfig({ rtpFrom, rtpTo }: Pick<AsteriskConfig, 'rtpFrom' | 'rtpTo'>): string {
  return configText([
    section('general', ['rtpstart', rtpFrom], ['rtpend', rtpTo], ['strictrtp', 'yes'], ['icesupport', 'yes']),
  ])
}

/**
 * `sorcery.conf`: passwords of phones come from `pjsip.conf`, and those of browsers from memory, where ARI puts them
 * for one shift. Both must be named, because naming one replaces the default.
 */
export function sorceryConfig(): string {
  return configText([section('res_pjsip', ['auth', 'config,pjsip.conf,criteria=type=auth'], ['auth', 'memory'])])
}

/**
 * `musiconhold.conf`: one class per name that a team uses. All play our music: those of Debian fade in for 1.2 s, in
 * which whoever has lost their agent hears nothing (calls-and-flows-88).
 */
export function musicConfig(input: Pick<ConfigInput, 'runDirectory' | 'installation'>): string {
  const { runDirectory, installation: config } = input
  const classes = new Set(['default', ...[...config.staff.teams.values()].map((team) => team.music)])
  const directory = dirname(musicFile(runDirectory))
  return configText([
    section('general'),
    ...[...classes].map((name) => section(name, ['mode', 'files'], ['directory', directory])),
  ])
}

/** `indications.conf`: the tones of a switch (ITU-T E.180), as most of Europe hears them. */
export function indicationsConfig(): string {
  return configText([
    section('general', ['country', 'eu']),
    section(
      'eu',
      ['description', 'Europe'],
      ['ringcadence', '1000,4000'],
      ['dial', '425'],
      ['busy', '425/500,0/500'],
      ['ring', '425/1000,0/4000'],
      ['congestion', '425/250,0/250'],
      ['callwaiting', '425/200,0/600,425/200,0/3000'],
    ),
  ])
}

/**
 * `manager.conf` and `cdr.conf` switch AMI and CDR off: AMI is a second way in, and the call events contain what CDR
 * would. `chan_websocket.conf` says nothing, but without it Asterisk logs an error.
 */
export function disabledConfigs(): readonly (readonly [file: string, text: string])[] {
  const off = (key: string, value: string) => configText([section('general', [key, value])])
  return [
    ['cdr.conf', off('enable', 'no')],
    ['manager.conf', off('enabled', 'no')],
    ['chan_websocket.conf', configText([section('global')])],
  ]
}
