/**
 * What a terminal, a page or an editor would act on, and what nobody sees: controls, direction, invisible and tag characters,
 * lone surrogates, noncharacters. Joiners stay where writing needs them: between letters that are not Latin and can be seen, whatever
 * marks they have, and in emoji.
 */
export const HIDDEN_CHARACTERS: RegExp =
  /(?![\u200c\u200d](?<=(?![\p{Script=Latin}\p{Default_Ignorable_Code_Point}])\p{L}(?:(?!\p{Default_Ignorable_Code_Point})\p{M})*.)(?=(?![\p{Script=Latin}\p{Default_Ignorable_Code_Point}])\p{L}))(?!(?<=\p{Extended_Pictographic})\ufe0f)(?!\u200d(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u200d|\p{Extended_Pictographic}\ufe0f\u200d)(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
