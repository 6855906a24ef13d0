/** Writes `flows/flow.schema.json` for editors and `docs/flow-reference.md`, from the schema our reader uses. */
import { writeFileSync } from 'node:fs'
import { editorSchemaText } from './editor-schema.ts'
import { flowReferenceText } from './flow-reference.ts'

writeFileSync(new URL('../flows/flow.schema.json', import.meta.url), editorSchemaText())
writeFileSync(new URL('../docs/flow-reference.md', import.meta.url), flowReferenceText())
