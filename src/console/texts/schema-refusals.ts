import type { Refusals } from './refusal-entry.ts'

/**
 * What the schemas of the node say of a field that does not fit: the words of its library, where a form of the console
 * can meet them.
 */
export const SCHEMA_REFUSALS: Refusals = {
  'is missing': ['This must be filled in.', 'Dette skal udfyldes.'],
  'must not have more than {count} characters': [
    'This is too long: at most {count} characters.',
    'Dette er for langt: højst {count} tegn.',
  ],
  'must not have fewer than {count} characters': [
    'This is too short: at least {count} characters.',
    'Dette er for kort: mindst {count} tegn.',
  ],
  'must be number': ['This must be a number.', 'Dette skal være et tal.'],
  'must be integer': ['This must be a whole number.', 'Dette skal være et helt tal.'],
  'must be number or string': ['This must be a number or a text.', 'Dette skal være et tal eller en tekst.'],
  'must be <= {limit}': ['This must be {limit} at most.', 'Dette må højst være {limit}.'],
  'must be >= {limit}': ['This must be {limit} at least.', 'Dette skal mindst være {limit}.'],
  'must match pattern "{pattern}"': ['This is not written as it must be.', 'Dette er ikke skrevet, som det skal.'],
  'must match format "{format}"': ['This is not written as it must be.', 'Dette er ikke skrevet, som det skal.'],
}
