import { dirname } from 'node:path'
import { flowFiles } from '../app/read-installation.ts'
import type { Clock, Timer } from '../kernel/clock.ts'
import { type FlowTestOptions, flowTest } from './flow-test.ts'
import type { CliContext } from './place/cli-context.ts'

interface WatchContext extends CliContext {
  readonly clock: Clock
  /** Calls `changed` with the name of a file of the folder that was written. */
  readonly watchFolder: (folder: string, changed: (name: string) => void) => { close(): void }
  /** The user has had enough. */
  readonly interrupted: Promise<void>
}

/** Editors write a file in several steps. Our choice. */
const SETTLED_AFTER_MS = 100

/** `switchboard flow test --watch`: again after every change of a flow or its tests, until it is interrupted. */
export async function flowTestWatch(
  files: readonly string[],
  options: FlowTestOptions,
  { clock, watchFolder, interrupted, settings, write }: WatchContext,
): Promise<number> {
  let status = 1
  let timer: Timer | undefined
  const again = () => {
    write(`\n${new Date(clock.nowMs()).toISOString()}`)
    status = flowTest(files, options, { settings, write })
  }
  const changed = (name: string) => {
    if (!name.endsWith('.yaml')) return
    timer?.cancel()
    timer = clock.schedule(clock.nowMs() + SETTLED_AFTER_MS, again)
  }
  const chosen = files.length > 0 ? files : flowFiles(settings.flowsDir)
  const folders = new Set([...chosen.map((file) => dirname(file)), ...(files.length > 0 ? [] : [settings.flowsDir])])
  const watched = [...folders].map((folder) => watchFolder(folder, changed))
  status = flowTest(files, options, { settings, write })
  await interrupted
  timer?.cancel()
  for (const watcher of watched) watcher.close()
  return status
}
