/** The channel event log: Asterisk writes every leg's events by itself, apart from ARI (R4). */
import { join } from 'node:path'
import type { ConfigInput } from './config-input.ts'
import { configText, section } from './config-text.ts'

/**
 * The file of a run directory that call events are appended to, one JSON object per line. Asterisk opens and closes it
 * for each line: a crash loses no earlier line, and the file can be rotated while it runs.
 */
export const callEventsFile = (runDirectory: string) => join(runDirectory, 'log', 'call-events.json')

/**
 * The same file, as Asterisk finds it from its folder `log/cel-custom`, which must exist. A section's name is cut at
 * 79 characters: with its whole path the file of a long run directory had another name, and no call of a time without
 * an engine was found (measured, 22.10.1).
 */
const FROM_ITS_FOLDER = '../call-events.json'

/** A leg's life: made, answered, hung up (with the cause), gone. All other events stay off: each costs CPU time. */
const EVENTS = 'CHAN_START,ANSWER,HANGUP,CHAN_END'

/**
 * `cel.conf` (what is written) and `cel_custom.conf` (where to, and which fields of it). Caller, called number
 * and context tell of a call that no engine saw. The numbers make the files personal data: the engine erases and
 * rotates them.
 */
export function callEventsConfigs({
  foreignFolder,
}: Pick<ConfigInput, 'foreignFolder'>): readonly (readonly [file: string, text: string])[] {
  if (foreignFolder !== undefined) return [['cel.conf', configText([section('general', ['enable', 'no'])])]]
  const fields = 'EventType,EventTime,UniqueID,EventExtra,Num,Exten,Context'
  return [
    ['cel.conf', configText([section('general', ['enable', 'yes'], ['events', EVENTS])])],
    ['cel_custom.conf', configText([section(FROM_ITS_FOLDER, ['format', 'json'], ['fields', fields])])],
  ]
}
