// What is said on demand, in Portuguese.

/** @type {import("./words.js").Rarely} */
export const rarely = {
  place: "Você é o número {position} na fila para falar com uma pessoa.",
  waitUnknown: "Ainda não sabemos quanto tempo vai levar.",
  waitKnown: "Outras pessoas esperaram há pouco cerca de {wait}.",
  closed:
    "Nossa equipe não está aqui agora. A volta é: {day}, {time}, no seu horário. Você pode continuar escrevendo aqui.",
  joined: "{name} está aqui. Você está falando com uma pessoa.",
  types: "{name} está escrevendo…",
  seen: "Visto",
  rate: "Como foi a ajuda?",
  score: "{score} de 5",
  worst: "Muito ruim",
  best: "Muito boa",
  comment: "Algo a acrescentar? (opcional)",
  sendRating: "Enviar avaliação",
  rated: "Obrigado pela sua avaliação.",
  restart: "Nova conversa",
  download: "Baixar a conversa",
  attach: "Anexar uma imagem",
  imagesOnly: "Só é possível enviar imagens de até 5 MB: PNG, JPEG, WebP ou GIF.",
  restartAsk: "Começar uma nova conversa? A nossa equipe guarda esta, mas você não a verá mais aqui.",
  cancel: "Cancelar",
  failed: "Não funcionou. Tente de novo.",
  edited: "editada",
  deleted: "Esta mensagem foi eliminada.",
  tryAgain: "Tentar de novo",
};
