import type { Phrases } from './phrases.js'

export const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    notFound: 'I found nothing about that here.',
    topics: 'There is something about:',
    whichTopic: 'Which of these do you mean?',
    youAsked: 'In this session you asked:',
    iAnswered: 'In this session I answered:',
    nothingAskedYet: 'You have not asked anything before in this session.',
    // What somebody did "before five" or wants of "my last question" elsewhere is no question about the session.
    asksForQuestion:
      /\b(?:what|which)\b[^.?!]{0,60}\b(?:did|have|had) i (?:just |already |previously |first |last )*(?:ask(?:ed)?|said|say|mention(?:ed)?|want(?:ed)? to know)\b|\b(?:did|have|had) i (?:just |already |previously |ever )+ask(?:ed)?\b|\b(?:what|things?|questions?|topics?) (?:that )?i (?:just |already |previously )*asked (?:you )?(?:about )?(?:before|earlier|previously|in this session|just now)\b|(?:^|\b(?:what|which)(?:['’]s| (?:was|were|is))|\b(?:repeat|recall|remember|remind me of|show me|tell me)) my (?:last|previous|first|earlier|prior) (?:questions?|query|queries|messages?)(?: again| here| in this session)?\s*[?.!]*$/i,
    asksForAnswer:
      /\b(?:did|have|had) you (?:just |already |previously |first |last )*(?:answer(?:ed)?|said|say|told|tell|repl(?:y|ied)|mention(?:ed)?)\b(?: to me)?(?: (?:before|earlier|previously|again|just now|in this (?:session|conversation|chat)))*|(?:^|\b(?:what|which)(?:['’]s| (?:was|were|is))|\b(?:repeat|recall|remember|remind me of|show me|tell me)) your (?:last|previous|first|earlier|prior) (?:answers?|reply|replies|responses?)(?: again| here| in this session)?\s*[?.!]*$|\byou (?:just |already |previously )(?:said|told|answered|mentioned)\b/i,
    meansFirst: /\bfirst\b/i,
    negates: /\b(?:not|no|never|cannot|without|except)\b|n['’]t\b/i,
    refersBack:
      /^(?:and|but|so|or)\b(?!.*\b(?:can|could|do|does|did|is|are|was|were|will|would|should|may|might|must|has|have)\b)|^(?:and |but |so )?(?:what about|how about)\b|\b(?:it|its|that|this|these|those|they|them|their|the same|the former|the latter)\b(?!\s+(?:is|are)\s+(?:possible|allowed))/i,
    askingWords:
      'please tell explain much many work works go happen happens show describe give find help know want need like get would could should may might hi hello hey thanks thank question questions information info detail details regarding wonder wondering looking understand anything something someone anyone way possible let mean us exactly really actually don doesn didn isn aren wasn won can couldn wouldn shouldn t s re ve ll m d',
  },
  de: {
    notFound: 'Dazu habe ich hier nichts gefunden.',
    topics: 'Es gibt etwas zu:',
    whichTopic: 'Was davon ist gemeint?',
    youAsked: 'In dieser Sitzung wurde gefragt:',
    iAnswered: 'In dieser Sitzung wurde geantwortet:',
    nothingAskedYet: 'In dieser Sitzung wurde noch nichts gefragt.',
    asksForQuestion:
      /\b(?:habe|hatte|hab) ich (?:\S+ ){0,4}(?:gefragt|wissen wollen|erwähnt|gesagt)|\b(?:was|welche|wie) (?:war|ist|lautete?) meine (?:letzte|vorige|erste|vorherige|frühere) (?:frage|anfrage)\s*[?.!]*$/i,
    asksForAnswer:
      /\b(?:hast|haben|hattest) (?:du|sie|ihr) (?:\S+ ){0,4}(?:geantwortet|gesagt|erwähnt)|\b(?:was|welche|wie) (?:war|ist|lautete?) (?:deine|ihre|eure) (?:letzte|vorige|erste|vorherige|frühere) antwort\s*[?.!]*$/i,
    meansFirst: /\berste/i,
    negates: /\b(?:nicht|nie|niemals|ohne|außer|kein(?:e[nmrs]?)?)(?!\p{L})/iu,
    refersBack:
      /^(?:und|aber|oder)\b(?!.*\b(?:kann|können|könnte|darf|dürfen|muss|müssen|soll|ist|sind|war|wird|werden|hat|habe|haben)\b)|^(?:und |aber )?(?:was ist mit|wie ist es mit)\b|\b(?:das|dies|diese[rsmn]?|es|dafür|dabei|davon|damit)\b(?=[^,.]{0,20}[?.!]?$)/i,
    askingWords:
      'bitte sagen sag sagt erklären erklär zeigen zeig nennen helfen hilfe wissen möchte möchten will brauche hallo danke frage fragen information informationen infos gibt geht bezüglich erfahren verstehen funktioniert',
  },
  fr: {
    notFound: "Je n'ai rien trouvé ici à ce sujet.",
    topics: 'Il y a quelque chose sur :',
    whichTopic: 'De quoi s’agit-il parmi ces sujets ?',
    youAsked: 'Dans cette session, vous avez demandé :',
    iAnswered: 'Dans cette session, j’ai répondu :',
    nothingAskedYet: "Vous n'avez encore rien demandé dans cette session.",
    asksForQuestion:
      /(?:ai-je|j['’]ai|est-ce que j['’]ai) (?:\S+ ){0,3}(?:demandé|dit|mentionné)|quelles? (?:était|est) ma (?:(?:dernière|première|précédente) question|question précédente)\s*[?.!]*$/i,
    asksForAnswer:
      /(?:avez-vous|as-tu|vous avez|tu as) (?:\S+ ){0,3}(?:répondu|dit|mentionné)(?: (?:avant|tout à l['’]heure))?|quelle (?:était|est) (?:votre|ta) (?:(?:dernière|première|précédente) réponse|réponse précédente)\s*[?.!]*$/i,
    meansFirst: /première/i,
    negates: /\b(?:pas|jamais|sans|sauf|aucune?)(?!\p{L})/iu,
    refersBack:
      /^(?:et|mais|ou)\b(?!.*\b(?:puis|peut|peux|pouvez|dois|doit|est|sont|sera|était)(?!\p{L}))|\b(?:cela|ça|ceci|celui-ci|celle-ci|ceux-ci)\b/iu,
    askingWords:
      'bonjour merci veuillez svp plaît dire dites expliquer expliquez montrer donner aider aide savoir voudrais veux besoin question questions information informations concernant comprendre',
  },
  es: {
    notFound: 'No he encontrado nada sobre eso aquí.',
    topics: 'Hay algo sobre:',
    whichTopic: '¿A cuál de estos temas se refiere?',
    youAsked: 'En esta sesión usted preguntó:',
    iAnswered: 'En esta sesión respondí:',
    nothingAskedYet: 'Todavía no ha preguntado nada en esta sesión.',
    asksForQuestion:
      /\b(?:he|había) (?:\S+ ){0,3}(?:preguntado|dicho|mencionado)|\b(?:pregunté|mencioné)(?!\p{L})|\bcuál (?:era|fue|es) mi (?:(?:última|primera|anterior) pregunta|pregunta anterior)\s*[?.!]*$/iu,
    asksForAnswer:
      /\b(?:has|ha|habías) (?:\S+ ){0,3}(?:respondido|dicho|mencionado)|\bcuál (?:era|fue|es) (?:su|tu) (?:(?:última|primera|anterior) respuesta|respuesta anterior)\s*[?.!]*$/i,
    meansFirst: /primera/i,
    negates: /\b(?:no|nunca|sin|excepto|ningun[ao]?)\b/i,
    refersBack:
      /^(?:y|pero|o)\b(?!.*\b(?:puedo|puede|debo|debe|es|son|está|están|será)(?!\p{L}))|\b(?:eso|esto|ello|ese|este|esos|estos)\b(?=[^,.]{0,20}[?.!]?$)/iu,
    askingWords:
      'hola gracias favor decir dígame dime explicar explique mostrar dar ayudar ayuda saber quiero quisiera necesito pregunta preguntas información respecto entender',
  },
  it: {
    notFound: 'Qui non ho trovato nulla in proposito.',
    topics: "C'è qualcosa su:",
    whichTopic: 'Quale di questi argomenti intende?',
    youAsked: 'In questa sessione ha chiesto:',
    iAnswered: 'In questa sessione ho risposto:',
    nothingAskedYet: 'In questa sessione non ha ancora chiesto nulla.',
    askingWords:
      'ciao grazie favore dire dimmi spiegare mostrare dare aiutare aiuto sapere vorrei voglio domanda informazioni',
  },
  pt: {
    notFound: 'Não encontrei nada sobre isso aqui.',
    topics: 'Há algo sobre:',
    whichTopic: 'A qual destes temas se refere?',
    youAsked: 'Nesta sessão perguntou:',
    iAnswered: 'Nesta sessão respondi:',
    nothingAskedYet: 'Ainda não perguntou nada nesta sessão.',
    askingWords:
      'olá obrigado favor dizer diga explicar mostrar dar ajudar ajuda saber quero gostaria preciso pergunta informações',
  },
  nl: {
    notFound: 'Daarover heb ik hier niets gevonden.',
    topics: 'Er is iets over:',
    whichTopic: 'Welke van deze onderwerpen bedoelt u?',
    youAsked: 'In deze sessie vroeg u:',
    iAnswered: 'In deze sessie antwoordde ik:',
    nothingAskedYet: 'In deze sessie hebt u nog niets gevraagd.',
    askingWords:
      'hallo dank bedankt alstublieft zeggen vertel uitleggen tonen geven helpen hulp weten wil graag vraag vragen informatie',
  },
  ru: {
    notFound: 'Об этом здесь ничего не нашлось.',
    topics: 'Здесь есть сведения о следующем:',
    whichTopic: 'Что из этого имеется в виду?',
    youAsked: 'В этой сессии вы спросили:',
    iAnswered: 'В этой сессии был дан ответ:',
    nothingAskedYet: 'В этой сессии вопросов ещё не было.',
    asksForQuestion:
      /(?:^|\s)я (?:\S+ ){0,3}(?:спрашивал|спросил|упоминал)|мо(?:й|ём|его) (?:последн|предыдущ|перв)\S+ вопрос/i,
    asksForAnswer:
      /(?:^|\s)(?:ты|вы) (?:\S+ ){0,3}(?:ответил|сказал|упоминал)|(?:твой|ваш) (?:последн|предыдущ|перв)\S+ ответ/i,
    meansFirst: /перв/i,
    negates: /(?:^|\s)(?:не|нет|нельзя|кроме|без)(?=[\s?.!]|$)/i,
    refersBack: /^(?:а|и|но|или)\s|(?:^|\s)(?:это|этого|этому|этим|его|её|их)(?=[\s?.!]|$)/i,
    askingWords:
      'привет здравствуйте спасибо пожалуйста скажите расскажите объясните покажите дайте помогите помощь знать хочу нужно вопрос информация подскажите можно',
  },
  ja: {
    notFound: 'それについての情報はここには見つかりませんでした。',
    topics: '次の内容についての情報があります。',
    whichTopic: '次のうち、どれについてのご質問ですか。',
    youAsked: 'このセッションでのご質問:',
    iAnswered: 'このセッションでの回答:',
    nothingAskedYet: 'このセッションではまだ質問がありません。',
    asksForQuestion:
      /(?:さっき|前に|先ほど|以前|最初に|直前に).*(?:聞[いき]|質問し|尋ね)|(?:前|最初|直前|先ほど)の質問/,
    asksForAnswer:
      /(?:さっき|前に|先ほど|以前|最初に).*(?:答え|回答し)|(?:前|最初|直前|先ほど)の(?:答え|回答)/,
    refersBack: /^(?:それ|その|では|じゃあ|これ|この)/,
    askingWords: '教え 教えて ください 下さい 知り たい 質問 お願い 説明 方法 何 どう です ます',
  },
  zh: {
    notFound: '这里没有找到相关内容。',
    topics: '这里有以下内容：',
    whichTopic: '您指的是以下哪一项？',
    youAsked: '在本次会话中您问过：',
    iAnswered: '在本次会话中的回答：',
    nothingAskedYet: '您在本次会话中还没有提过问题。',
    asksForQuestion: /我(?:刚才|刚刚|之前|上次|最初|先前).*(?:问|提)|我的?(?:上一个|前一个|第一个)问题/,
    asksForAnswer: /你(?:刚才|刚刚|之前|上次|先前).*(?:回答|说)|(?:上一个|前一个|第一个)(?:回答|答案)/,
    refersBack: /^(?:那|那么|这|它)/,
    askingWords: '请 请问 告诉 我 想 知道 解释 帮助 问题 怎么 如何 什么 可以',
  },
  ar: {
    notFound: 'لم أجد هنا شيئًا عن ذلك.',
    topics: 'توجد هنا معلومات عن:',
    whichTopic: 'أيَّ هذه الموضوعات تقصد؟',
    youAsked: 'سألتَ في هذه الجلسة:',
    iAnswered: 'كان الجواب في هذه الجلسة:',
    nothingAskedYet: 'لم تسأل شيئًا بعد في هذه الجلسة.',
    askingWords: 'من فضلك أخبرني اشرح أريد أعرف سؤال معلومات مرحبا شكرا مساعدة هل كيف يمكنني يمكن',
  },
}
