/**
 * Makes one file of two channels of the two files of one that a recording was written into: what was said on the left,
 * what was heard on the right. Plain names in the recordings' folder. The sides are removed once the joined file is
 * safe, so nothing is lost by a crash; asked for again, it ends what it began. Never rejects.
 *
 * Returns why not all of it is there, or undefined: it is stored. A side that is missing is silent in the joined file.
 */
export type JoinSides = (
  joined: string,
  sides: { readonly left: string; readonly right: string },
) => Promise<string | undefined>
