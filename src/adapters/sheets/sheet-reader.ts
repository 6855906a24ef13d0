/** Reads spreadsheets in processes, with limits for memory and time (architecture-laws.md 2; F-B5, F-I13; house-08). */
import { type ChildProcess, fork } from 'node:child_process'
import type { Clock } from '../../kernel/clock.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { SheetFile, SheetReader, SheetReading, SheetRow } from '../../ports/sheets.ts'
import type { SheetMessage, SheetOrder } from './sheet-process.ts'

interface SheetReaderDependencies {
  readonly clock: Clock
  /** For one file; 100,000 rows take a few seconds. */
  readonly timeoutMs?: number
  /** The heap of one process; bytes are counted before they are unpacked. */
  readonly memoryMb?: number
}

/** Our choice: half a minute is longer than a user waits. */
const TIMEOUT_MS = 30_000
const MEMORY_MB = 512
/** Each may need its full memory, and a core. */
const PROCESSES_MAX = 2
/** A process that read more than this is not reused: it would keep the memory. */
const SMALL_BYTES = 1024 * 1024

const TOO_LONG = 'the file takes too long to be read; divide it, or save it as CSV'
const TOO_MUCH = 'the file needs more memory than there is for one; divide it, or save it as CSV'
const CLOSED = 'this node is shutting down; send the file to another one'

/** Processes start on demand, and an idle one keeps no other alive. */
export function sheetReader(dependencies: SheetReaderDependencies): SheetReader {
  const processes = new ConcurrencyLimit(PROCESSES_MAX)
  const idle: ChildProcess[] = []
  const busy = new Set<ChildProcess>()
  let isClosed = false
  const read = async (file: SheetFile): Promise<SheetReading> => {
    if (isClosed) return { ok: false, why: CLOSED }
    const child = idle.pop() ?? startProcess(dependencies)
    child.ref()
    child.channel?.ref()
    busy.add(child)
    const { reading, isSound } = await ask(child, file, dependencies)
    busy.delete(child)
    if (isSound && !isClosed && file.bytes.length <= SMALL_BYTES) {
      child.unref()
      child.channel?.unref()
      idle.push(child)
    } else child.kill('SIGKILL')
    return isClosed ? { ok: false, why: CLOSED } : reading
  }
  return {
    read: (file) => processes.run(() => read(file)),
    async close() {
      isClosed = true
      for (const child of [...idle.splice(0), ...busy]) child.kill('SIGKILL')
    },
  }
}

function startProcess({ memoryMb = MEMORY_MB }: SheetReaderDependencies): ChildProcess {
  const child = fork(new URL('./sheet-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    // It needs no secrets, and prints nothing.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A late error of an abandoned process must not end ours.
  child.on('error', () => {})
  return child
}

/** `isSound`: the process can be reused. */
interface Heard {
  readonly reading: SheetReading
  readonly isSound: boolean
}

function ask(
  child: ChildProcess,
  file: SheetFile,
  { clock, timeoutMs = TIMEOUT_MS }: SheetReaderDependencies,
): Promise<Heard> {
  return new Promise((resolve) => {
    const rows: SheetRow[] = []
    const finish = (reading: SheetReading, isSound: boolean) => {
      timer.cancel()
      child.off('message', onNews).off('error', onGone).off('exit', onGone)
      resolve({ reading, isSound })
    }
    const tell = (order: SheetOrder) => child.send(order, () => {})
    const onNews = (news: SheetMessage) => {
      if ('end' in news) return finish(news.end.ok ? { ...news.end, rows } : news.end, true)
      for (const row of news.rows) rows.push(row)
      tell('more')
    }
    const onGone = () => finish({ ok: false, why: TOO_MUCH }, false)
    const timer = clock.schedule(clock.nowMs() + timeoutMs, () => finish({ ok: false, why: TOO_LONG }, false))
    child.on('message', onNews).on('error', onGone).on('exit', onGone)
    tell(file)
  })
}
