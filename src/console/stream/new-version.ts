/** A page of an older build is loaded again where that disturbs nobody: a node started anew may serve another one. */
import { useEffect, useSyncExternalStore } from 'react'
import { hasUnsaved } from '../session/query-client.ts'

/** The script of a built page has a hash of its content in its name. */
const SCRIPT = /\/assets\/[\w.-]+\.js/

let isOld = false
const listeners = new Set<() => void>()

/** Call it when the node is there again. A node that does not answer is asked the next time. */
export async function lookForNewVersion(): Promise<void> {
  const answer = await fetch(location.pathname, { redirect: 'error' }).catch(() => undefined)
  const served = answer?.ok ? SCRIPT.exec(await answer.text())?.[0] : undefined
  if (isOld || served === undefined || document.querySelector(`script[src="${served}"]`) !== null) return
  isOld = true
  for (const told of listeners) told()
}

function subscribe(told: () => void): () => void {
  listeners.add(told)
  return () => listeners.delete(told)
}

/**
 * `mayLoad`: nobody is in a call or in the middle of an act. What the desk keeps outlives it (console-06); a summary
 * that is being written on another page of this tab would not (console-60).
 */
export function useNewVersion(mayLoad: boolean): void {
  const isDue = useSyncExternalStore(subscribe, () => isOld) && mayLoad && !hasUnsaved()
  useEffect(() => {
    if (isDue) location.reload()
  }, [isDue])
}
