import { expect, test } from 'vitest'
import { chooseVoice, readVoices } from '../../../src/adapters/speech/espeak-voices.ts'

const TABLE = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  cmn             --/M      Chinese_(Mandarin) sit/cmn              (zh-cmn 5)(zh 5)
 5  de              --/M      German             gmw/de
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 5  et              --/M      Estonian           urj/et
 5  en-us           --/M      us-mbrola-2        mb/mb-us2            (en 7)
 5  hu              --/M      hungarian-mbrola-1 mb/mb-hu1
 5  variant         --/M      Storm              !v/Storm             (en-us 5)
`
const voices = readVoices(TABLE)

test.each([
  ['en', 'en-us', true],
  ['EN', 'en-us', true],
  ['en-gb', 'en-gb', true],
  ['en_US', 'en-us', true],
  ['English_(Great_Britain)', 'English_(Great_Britain)', true],
  ['et', 'et', true],
  ['zh', 'cmn', true],
  ['et-EE', 'et', false],
  ['en-au', 'en-us', false],
  ['de-x-wild-tongue', 'de', false],
  ['hu', 'en-us', false],
  ['storm', 'en-us', false],
  ['', 'en-us', false],
])('given %j, %s speaks', (asked, voice, isExact) => {
  expect(chooseVoice(voices, asked)).toEqual({ voice, isExact })
})

test('given no English voice, any voice speaks; given no voice, none speaks', () => {
  expect(chooseVoice(readVoices(' 5  et  --/M  Estonian  urj/et'), 'fi')).toEqual({ voice: 'et', isExact: false })
  expect(chooseVoice(readVoices('nonsense'), 'en')).toBeUndefined()
})
