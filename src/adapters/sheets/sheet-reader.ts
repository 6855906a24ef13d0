/** Reads spreadsheets in threads, with limits for memory and time (architecture-laws.md 2; F-B5, F-I13). */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../kernel/clock.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { SheetFile, SheetReader, SheetReading, SheetRow } from '../../ports/sheets.ts'
import type { SheetMessage, SheetOrder } from './sheet-thread.ts'

interface SheetReaderDependencies {
  readonly clock: Clock
  /** For one file; 100,000 rows take a few seconds. */
  readonly timeoutMs?: number
  /** The heap of one thread; bytes are counted before they are unpacked. */
  readonly memoryMb?: number
}

/** Our choice: half a minute is longer than a user waits. */
const TIMEOUT_MS = 30_000
const MEMORY_MB = 512
/** Each may need its full memory, and a core. */
const THREADS_MAX = 2
/** A thread that read more than this is not reused: it would keep the memory. */
const SMALL_BYTES = 1024 * 1024

const TOO_LONG = 'the file takes too long to be read; divide it, or save it as CSV'
const TOO_MUCH = 'the file needs more memory than there is for one; divide it, or save it as CSV'
const CLOSED = 'this node is shutting down; send the file to another one'

/** Threads start on demand, and an idle one keeps no process alive. */
export function sheetReader(dependencies: SheetReaderDependencies): SheetReader {
  const threads = new ConcurrencyLimit(THREADS_MAX)
  const idle: Worker[] = []
  const busy = new Set<Worker>()
  let isClosed = false
  const read = async (file: SheetFile): Promise<SheetReading> => {
    if (isClosed) return { ok: false, why: CLOSED }
    const thread = idle.pop() ?? startThread(dependencies)
    thread.ref()
    busy.add(thread)
    const { reading, isSound } = await ask(thread, file, dependencies)
    busy.delete(thread)
    if (isSound && !isClosed && file.bytes.length <= SMALL_BYTES) {
      thread.unref()
      idle.push(thread)
    } else await thread.terminate()
    return isClosed ? { ok: false, why: CLOSED } : reading
  }
  return {
    read: (file) => threads.run(() => read(file)),
    async close() {
      isClosed = true
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.terminate()))
    },
  }
}

function startThread({ memoryMb = MEMORY_MB }: SheetReaderDependencies): Worker {
  const thread = new Worker(new URL('./sheet-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // The thread needs no secrets, and prints nothing.
    env: {},
    stdout: true,
    stderr: true,
  })
  // A late error of an abandoned thread must not end the process.
  thread.on('error', () => {})
  return thread
}

/** `isSound`: the thread can be reused. */
interface Heard {
  readonly reading: SheetReading
  readonly isSound: boolean
}

function ask(
  thread: Worker,
  file: SheetFile,
  { clock, timeoutMs = TIMEOUT_MS }: SheetReaderDependencies,
): Promise<Heard> {
  return new Promise((resolve) => {
    const rows: SheetRow[] = []
    const finish = (reading: SheetReading, isSound: boolean) => {
      timer.cancel()
      thread.off('message', onNews).off('error', onGone).off('exit', onGone)
      resolve({ reading, isSound })
    }
    const onNews = (news: SheetMessage) => {
      if ('end' in news) return finish(news.end.ok ? { ...news.end, rows } : news.end, true)
      for (const row of news.rows) rows.push(row)
      thread.postMessage('more' satisfies SheetOrder)
    }
    const onGone = () => finish({ ok: false, why: TOO_MUCH }, false)
    const timer = clock.schedule(clock.nowMs() + timeoutMs, () => finish({ ok: false, why: TOO_LONG }, false))
    thread.on('message', onNews).on('error', onGone).on('exit', onGone)
    thread.postMessage(file satisfies SheetOrder)
  })
}
