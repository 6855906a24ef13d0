/**
 * The corpus of malformed flows, `test/flow/fixtures/malformed/`: `## rule`, then a flow and `=>` for each message.
 * A flow is one step in braces, steps, or a whole file. `▸` stands before each place, and is no part of the flow.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { bye, flowOf, withStep } from './problems-of.ts'

export interface MalformedFlow {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly text: string
  /** `4:12 error …`, in the order of the file. */
  readonly problems: readonly string[]
}

const folder = new URL('../fixtures/malformed/', import.meta.url)

/** Every flow of the corpus. */
export function malformedFlows(): MalformedFlow[] {
  return readdirSync(folder).sort().flatMap(flowsOf)
}

function flowsOf(file: string): MalformedFlow[] {
  const flows: MalformedFlow[] = []
  let rule = ''
  let body: string[] = []
  let messages: string[] = []
  let line = 0
  const end = () => {
    if (messages.length > 0) flows.push(flowOfCase({ file, line, rule }, body.join('\n').replace(/\n+$/, ''), messages))
    body = []
    messages = []
  }
  for (const [index, row] of readFileSync(new URL(file, folder), 'utf8').split('\n').entries()) {
    if (row.startsWith('=> ')) messages.push(row.slice('=> '.length))
    else if (messages.length > 0 || row.startsWith('## ')) end()
    if (row.startsWith('## ')) rule = row.slice('## '.length)
    else if (!row.startsWith('=> ') && (row !== '' || body.length > 0)) {
      if (body.length === 0) line = index + 1
      body.push(row)
    }
  }
  end()
  return flows
}

function flowOfCase(place: Pick<MalformedFlow, 'file' | 'line' | 'rule'>, body: string, messages: string[]) {
  const isStep = /^▸?\{.*$/.test(body)
  const isSteps = body.startsWith('  ')
  let text = isStep ? withStep(body) : isSteps ? flowOf(`${body}\n${/^ {2}▸?bye:/m.test(body) ? '' : bye}`) : body
  const problems = messages.map((message) => {
    const at = text.indexOf('▸')
    const before = text.slice(0, at).split('\n')
    text = text.replace('▸', '')
    return at === -1 ? message : `${before.length}:${before.at(-1)!.length + 1} ${message}`
  })
  return { ...place, text, problems }
}
