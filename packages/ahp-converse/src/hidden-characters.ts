/**
 * What a terminal, a page or an editor would act on, and what nobody sees: controls, direction, invisible and tag characters,
 * lone surrogates, noncharacters. Joiners stay where writing needs them: between letters that are not Latin, and in emoji.
 */
export const HIDDEN_CHARACTERS: RegExp =
  /(?!(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u200c\u200d](?=\p{L}))(?!(?<=\p{Extended_Pictographic})\ufe0f)(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
