import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withSubflows } from '../flow/read/documents.ts'

/** The text of a flow file, with the flows of its folder that it names as subflows. Throws if it cannot be read. */
export function readFlowText(file: string): string {
  return withSubflows(readFileSync(file, 'utf8'), (flow) => {
    try {
      return readFileSync(join(dirname(file), `${flow}.yaml`), 'utf8')
    } catch {
      return undefined
    }
  })
}
