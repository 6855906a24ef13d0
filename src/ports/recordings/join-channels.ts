/**
 * Joins the two files of a recording into one file with two channels: what the leg said on the left, what it heard on
 * the right. Names are plain names in the recordings' folder. The two files are removed when the joined file is
 * durable: a crash loses nothing, and a repetition completes the work. Never rejects.
 *
 * Returns undefined when the recording is complete, else what is missing. A missing side is silent in the joined file.
 */
export type JoinSides = (
  joined: string,
  sides: { readonly left: string; readonly right: string },
) => Promise<string | undefined>
