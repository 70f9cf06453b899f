// What is said on demand, in French.

/** @type {import("./words.js").Rarely} */
export const rarely = {
  place: "Vous avez le numéro {position} dans la file d’attente pour parler à une personne.",
  waitUnknown: "Nous ne savons pas encore combien de temps cela prendra.",
  waitKnown: "D’autres ont récemment attendu environ {wait}.",
  closed:
    "Notre équipe n’est pas là pour le moment et revient {day}, {time}, heure locale. Vous pouvez continuer à écrire ici.",
  joined: "{name} est là. Vous parlez à une personne.",
  types: "{name} écrit…",
  seen: "Vu",
  rate: "Comment était l’aide reçue ?",
  score: "{score} sur 5",
  worst: "Très mauvaise",
  best: "Très bonne",
  comment: "Quelque chose à ajouter ? (facultatif)",
  sendRating: "Envoyer la note",
  rated: "Merci pour votre note.",
  restart: "Nouvelle conversation",
  download: "Télécharger la conversation",
  attach: "Joindre une image",
  imagesOnly: "Seules les images jusqu’à 5 Mo peuvent être envoyées : PNG, JPEG, WebP ou GIF.",
  restartAsk: "Commencer une nouvelle conversation ? Notre équipe garde celle-ci, mais vous ne la verrez plus ici.",
  cancel: "Annuler",
  failed: "Cela n’a pas fonctionné. Veuillez réessayer.",
  edited: "modifié",
  deleted: "Ce message a été supprimé.",
  tryAgain: "Réessayer",
};
